// Errors of proxies in V8's words (v8/src/common/message-template.h): what a trap may not say of its target. Which of V8's rules it has
// broken the target tells.
'use strict';

const native = internalBinding;

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, isExtensible } = Object;
const { apply, construct, ownKeys } = Reflect;
const at = (major) => native.facts.major >= major;

const falsish = (trap, behind = '') => `'${trap}' on proxy: trap returned falsish${behind}`;
const truish = (trap, behind) => `'${trap}' on proxy: trap returned truish ${behind}`;
const kUnlike = () => `which is either ${at(12) ? 'non-existent' : 'non-existant'} or configurable in the proxy target`;

function ofTarget(target, key) { return key === undefined ? undefined : getOwnPropertyDescriptor(target, key); }

// As TRAPS of tools/quickjs/patch_wasm.py numbers them.
const kTraps = [undefined, 'get', 'set', 'has', 'deleteProperty', 'defineProperty', 'getOwnPropertyDescriptor', 'ownKeys'];

// Each of { target, key, name, called, isSet, got }. `got`: what the trap has returned, where that is known.
const rows = [
  [/^proxy: inconsistent get$/, ({ target, key, name, got, textOf }) => {
    const found = ofTarget(target, key);
    if (found === undefined) return undefined;
    return `'get' on proxy: property '${name}' is a ${'value' in found ?
      `read-only and non-configurable data property on the proxy target but the proxy did not return its actual value (expected '${
        textOf(found.value)}' but got '${textOf(got)}')` :
      'non-configurable accessor property on the proxy target and does not have a getter function, but the trap did not return ' +
        `'undefined' (got '${textOf(got)}')`}`;
  }],
  [/^proxy: cannot set property$/, ({ name }) => falsish('set', ` for property '${name}'`)],
  [/^could not delete property$/, ({ name }) => falsish('deleteProperty', ` for property '${name}'`)],
  [/^proxy: defineProperty exception$/, ({ name }) => falsish('defineProperty', ` for property '${name}'`)],
  [/^proxy: bad prototype$/, ({ called }) =>
    falsish('setPrototypeOf', at(12) && called === 'Function.setPrototypeOf' ? " for property 'undefined'" : '')],
  [/^proxy preventExtensions handler returned false$|^Cannot prevent extensions$/, () => falsish('preventExtensions')],
  [/^proxy: inconsistent set$/, ({ target, key, name }) => {
    const isData = ofTarget(target, key)?.get === undefined;
    return truish('set', `for property '${name}' which exists in the proxy target as a non-configurable and non-writable ${
      isData ? 'data property with a different value' : 'accessor property without a setter'}`);
  }],
  [/^proxy: inconsistent deleteProperty$/, ({ target, key, name }) => truish('deleteProperty', `for property '${name}' ${
    ofTarget(target, key)?.configurable ? 'but the proxy target is non-extensible' : 'which is non-configurable in the proxy target'}`)],
  [/^proxy: inconsistent defineProperty$/, ({ target, key, name }) => {
    const found = ofTarget(target, key);
    if (found === undefined && !isExtensible(target)) {
      return truish('defineProperty', `for adding property '${name}'  to the non-extensible proxy target`);
    }
    return truish('defineProperty', found === undefined || found.configurable ?
      `for defining non-configurable property '${name}' ${kUnlike()}` :
      `for adding property '${name}'  that is incompatible with the existing property in the proxy target`);
  }],
  [/^proxy: inconsistent prototype$/, ({ target, isSet }) => {
    if (isSet) return truish('setPrototypeOf', 'for setting a new prototype on the non-extensible proxy target');
    return `'getPrototypeOf' on proxy: ${target !== undefined && isExtensible(target) ? 'trap returned neither object nor null' :
      'proxy target is non-extensible but the trap did not return its actual prototype'}`;
  }],
  [/^proxy: inconsistent preventExtensions$/, () => truish('preventExtensions', 'but the proxy target is extensible')],
  [/^proxy: inconsistent isExtensible$/, ({ target }) => target &&
    `'isExtensible' on proxy: trap result does not reflect extensibility of proxy target (which is '${isExtensible(target)}')`],
  // `got`: null: no object; true: an object.
  [/^proxy: inconsistent getOwnPropertyDescriptor$/, ({ target, key, name, got }) => {
    const found = ofTarget(target, key);
    const words = (text) => `'getOwnPropertyDescriptor' on proxy: trap ${text}`;
    if (got === null) return words(`returned neither object nor undefined for property '${name}'`);
    if (got === undefined) {
      return words(`returned undefined for property '${name}' which ${found?.configurable === false ?
        'is non-configurable in the proxy target' : 'exists in the non-extensible proxy target'}`);
    }
    return words(found?.configurable === false || (found === undefined && !isExtensible(target)) ?
      `returned descriptor for property '${name}' that is incompatible with the existing property in the proxy target` :
      `reported non-configurability for property '${name}' ${kUnlike()}`);
  }],
  [/^proxy: properties must be strings or symbols$/, ({ got, textOf }) => `${textOf(got)} is not a valid property name`],
  [/^not an object$/, ({ got, textOf }) => `'construct' on proxy: trap returned non-object ('${textOf(got)}')`],
  [/^proxy: target property must be present in proxy ownKeys$/, ({ target, textOf }) => {
    if (target === undefined) return undefined;
    const all = ownKeys(target);
    const key = all.find((one) => !getOwnPropertyDescriptor(target, one).configurable) ?? all[0];
    return `'ownKeys' on proxy: trap result did not include '${textOf(key)}'`;
  }],
  [/^proxy: property not present in target were returned/, () =>
    "'ownKeys' on proxy: trap returned extra keys but proxy target is non-extensible"],
  [/^proxy: duplicate property$/, () => "'ownKeys' on proxy: trap returned duplicate entries"],
  [/^proxy: ownKeys must return an object$/, () => 'CreateListFromArrayLike called on non-object'],
  [/^proxy: inconsistent has$/, ({ target, key, name }) => name && `'has' on proxy: trap returned falsish for property '${name}' ${
    target !== undefined && ofTarget(target, key)?.configurable ? 'but the proxy target is not extensible' :
    'which exists in the proxy target as non-configurable'}`],
];

// The trap that is no function; undefined: it is that of no proxy, or the program would have to run to tell it.
function badTrap(handler, trap, textOf) {
  for (let at = handler; at !== null; at = getPrototypeOf(at)) {
    if (native.proxyDetails(at) !== undefined) return undefined;
    const found = getOwnPropertyDescriptor(at, trap);
    if (found === undefined) continue;
    return 'value' in found && typeof found.value !== 'function' ?
      `'${textOf(found.value)}' returned for property '${trap}' of object '${textOf(handler)}' is not a function` : undefined;
  }
  return undefined;
}
const kAsked = /^(?:Function|Reflect)\.((?:is|prevent)Extensi\w+|[gs]etPrototypeOf)$/;
const kSaid = /^proxy|^could not delete property$|^Cannot prevent extensions$|^not a function$|^not an object$/;

// `about`: [object, key, trap, got] of what has failed, or undefined. `given`: what the function `called` of the language was given; '':
// the program's own code.
function wordsOfProxy(said, about, given, called, textOf) {
  if (!kSaid.test(said)) return undefined;
  const [object, own, number, got] = about ?? given;
  const details = object === undefined ? undefined : native.proxyDetails(object);
  if (details === undefined && !said.startsWith('proxy')) return undefined;
  const trap = about !== undefined ? kTraps[number] : undefined;
  if (said === 'not a function') {
    const asked = trap ?? kAsked.exec(called)?.[1];
    const isPrinted = /^(?:get|has)$/.test(asked) && at(8) && !at(12);  // as internal/messages does, of the program's text
    return asked === undefined || isPrinted || !details[1] ? undefined : badTrap(details[1], asked, textOf);
  }
  const isMade = about !== undefined && own === undefined && number === 0 && /^(?:Reflect\.construct)?$/.test(called);
  if (said === 'not an object' && !isMade) return undefined;
  let key = own;
  if (typeof key !== 'symbol' && key !== undefined) key = typeof key === 'object' || typeof key === 'function' ? undefined : `${key}`;
  const target = details?.[0] ?? undefined;
  const isKnown = target !== undefined && native.proxyDetails(target) === undefined;
  const name = key === undefined ? undefined : textOf(key);
  const isSet = about !== undefined && about[1] === undefined;
  for (const [pattern, words] of rows) {
    if (!pattern.test(said)) continue;
    if (target !== undefined && !isKnown) return undefined;  // the target is a proxy, too, which the program would notice
    return words({ target, key, name, called, isSet, got, textOf });
  }
  return undefined;
}

// V8 up to that of Node 12 (JSProxy::New).
function refuseRevoked(nameBuiltin) {
  if (!at(6) || at(14)) return;
  const TheProxy = Proxy;
  const { revocable: makeRevocable } = TheProxy;
  const check = (target, handler) => {
    const isObject = Object(target) === target && Object(handler) === handler;
    if (isObject && native.proxyDetails(target)?.[0] !== null && native.proxyDetails(handler)?.[0] !== null) return;
    throw new TypeError(`Cannot create proxy with a ${isObject ? 'revoked proxy' : 'non-object'} as target or handler`);
  };
  const value = new TheProxy(TheProxy, {
    __proto__: null,
    construct(target, given, made) {
      check(given[0], given[1]);
      return construct(target, given, made);
    },
  });
  const { revocable } = {
    revocable(target, handler) {
      check(target, handler);
      return apply(makeRevocable, TheProxy, [target, handler]);
    },
  };
  nameBuiltin(value, 'new Proxy');
  nameBuiltin(revocable, 'Function.revocable');
  for (const [object, name, own] of [[TheProxy, 'revocable', revocable], [globalThis, 'Proxy', value]]) {
    defineProperty(object, name, { __proto__: null, value: own, writable: true, enumerable: false, configurable: true });
  }
}

module.exports = { refuseRevoked, wordsOfProxy };
