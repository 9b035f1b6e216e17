// Errors of proxies in V8's words (v8/src/common/message-template.h): what a trap may not say of its target. What the trap has
// returned nobody knows any more; the target tells which of V8's rules it has broken.
'use strict';

const native = internalBinding;

const { getOwnPropertyDescriptor, isExtensible } = Object;
const { ownKeys } = Reflect;
const at = (major) => native.facts.major >= major;

const falsish = (trap, behind = '') => `'${trap}' on proxy: trap returned falsish${behind}`;
const truish = (trap, behind) => `'${trap}' on proxy: trap returned truish ${behind}`;
const kUnlike = () => `which is either ${at(12) ? 'non-existent' : 'non-existant'} or configurable in the proxy target`;

function ofTarget(target, key) { return key === undefined ? undefined : getOwnPropertyDescriptor(target, key); }

// Each of { target, key, name, called, isSet }.
const rows = [
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
  [/^proxy: inconsistent getOwnPropertyDescriptor$/, ({ target, key, name }) => {
    if (target === undefined) return undefined;
    const found = ofTarget(target, key);
    const words = (text) => `'getOwnPropertyDescriptor' on proxy: trap ${text}`;
    if (found?.configurable === false) {
      return words(`returned undefined for property '${name}' which is non-configurable in the proxy target`);
    }
    return words(found !== undefined && !isExtensible(target) ?
      `returned undefined for property '${name}' which exists in the non-extensible proxy target` :
      `reported non-configurability for property '${name}' ${kUnlike()}`);
  }],
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

// `about`: [object, key] of the failed property, or undefined. `given`: what the function `called` of the language was given; '': the
// program's own code, whose line is `text`.
function wordsOfProxy(said, about, given, called, text, textOf) {
  if (!/^proxy|^could not delete property$|^Cannot prevent extensions$/.test(said)) return undefined;
  const [object, own] = about ?? given;
  const details = object === undefined ? undefined : native.proxyDetails(object);
  if (details === undefined && !said.startsWith('proxy')) return undefined;
  let key = own;
  if (typeof key !== 'symbol' && key !== undefined) key = typeof key === 'object' || typeof key === 'function' ? undefined : `${key}`;
  if (about === undefined && called === '') [, , key] = /(['"])([^'"\\]*)\1\s+in\b/.exec(text) ?? [];
  const target = details?.[0] ?? undefined;
  const isKnown = target !== undefined && native.proxyDetails(target) === undefined;
  const name = key === undefined ? undefined : textOf(key);
  const isSet = about !== undefined && about[1] === undefined;
  for (const [pattern, words] of rows) {
    if (!pattern.test(said)) continue;
    if (target !== undefined && !isKnown) return undefined;  // the target is a proxy, too, which the program would notice
    return words({ target, key, name, called, isSet, textOf });
  }
  return undefined;
}

module.exports = { wordsOfProxy };
