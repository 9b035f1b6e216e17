// NodeList, HTMLCollection, DOMTokenList, NamedNodeMap, DOMStringMap: lists and maps that a program sees by index or by name.
'use strict';

const { describe, kKey } = require('web/webidl');
const { domError, illegalConstructor, isFirefox, isObject, needArgs } = require('web/words');

const isIndex = (key) => typeof key === 'string' && /^(?:0|[1-9]\d*)$/.test(key);

class NodeList {
  static length = 0;
  constructor(key) { if (key !== kKey) throw illegalConstructor('NodeList'); }
  get length() { return read(this).length; }
  item(index) { return read(this)[index >>> 0] ?? null; }
  forEach(callback, receiver = undefined) { read(this).forEach((node, i) => Reflect.apply(callback, receiver, [node, i, this])); }
  * entries() { yield* read(this).entries(); }
  * keys() { yield* read(this).keys(); }
  * values() { yield* read(this).values(); }
}
class HTMLCollection {
  static length = 0;
  constructor(key) { if (key !== kKey) throw illegalConstructor('HTMLCollection'); }
  get length() { return read(this).length; }
  item(index) { return read(this)[index >>> 0] ?? null; }
  namedItem(name) { return read(this).find((one) => one.id === `${name}` || one.getAttribute('name') === `${name}`) ?? null; }
}
// By what a program sees: what gives the nodes.
const readers = new WeakMap();
const read = (list) => readers.get(list)();
const isCollection = (value) => readers.has(value);
const inspect = function () { return `${this.constructor.name}(${this.length})`; };
describe(NodeList, isCollection, { inspect });
describe(HTMLCollection, isCollection, { inspect });
for (const Class of [NodeList, HTMLCollection]) {
  Object.defineProperty(Class.prototype, Symbol.iterator, {
    value: { values() { return read(this).values(); } }.values, writable: true, configurable: true,
  });
}

const handler = (target, nodes) => ({
  get(_, key, receiver) {
    if (isIndex(key)) return nodes()[key];
    if (Reflect.has(target, key) || typeof key === 'symbol') return Reflect.get(target, key, receiver);
    return (target.namedItem ? receiver.namedItem(key) : target.getNamedItem ? receiver.getNamedItem(key) : null) ?? undefined;
  },
  has(_, key) { return isIndex(key) ? Number(key) < nodes().length : Reflect.has(target, key); },
  set(_, key, value) { return isIndex(key) ? false : Reflect.set(target, key, value); },
  ownKeys() { return [...nodes().keys()].map(String).concat(Reflect.ownKeys(target)); },
  getOwnPropertyDescriptor(_, key) {
    if (!isIndex(key)) return Reflect.getOwnPropertyDescriptor(target, key);
    const value = nodes()[key];
    return value && { value, writable: false, enumerable: true, configurable: true };
  },
});

// A list that shows what `nodes` gives at the time of asking.
function liveList(Class, nodes) {
  const target = Object.create(Class.prototype);
  const proxy = new Proxy(target, handler(target, nodes));
  readers.set(proxy, nodes);
  return proxy;
}
const staticList = (nodes) => liveList(NodeList, () => nodes);

// ---- DOMTokenList --------------------------------------------------------------------------------------------------------------

let isTokens;
// The words of an attribute. get(): the attribute or null; set(text).
class DOMTokenList {
  #get;
  #set;
  static { isTokens = (value) => isObject(value) && #get in value; }
  static length = 0;
  constructor(key, get, set) {
    if (key !== kKey) throw illegalConstructor('DOMTokenList');
    this.#get = get;
    this.#set = set;
  }
  #tokens() { return [...new Set((this.#get() ?? '').split(/[\t\n\f\r ]+/).filter((token) => token !== ''))]; }
  #update(tokens) { if (this.#get() !== null || tokens.length > 0) this.#set(tokens.join(' ')); }
  get length() { return this.#tokens().length; }
  get value() { return this.#get() ?? ''; }
  set value(text) { this.#set(`${text}`); }
  item(index) { return this.#tokens()[index >>> 0] ?? null; }
  contains(token) { return this.#tokens().includes(`${token}`); }
  add(...tokens) {
    const added = check('add', tokens);
    this.#update([...new Set([...this.#tokens(), ...added])]);
  }
  remove(...tokens) {
    const removed = check('remove', tokens);
    this.#update(this.#tokens().filter((token) => !removed.includes(token)));
  }
  toggle(token) {
    needArgs('DOMTokenList', 'toggle', arguments, 1);
    const [name] = check('toggle', [token]);
    const tokens = this.#tokens();
    const force = arguments.length > 1 && arguments[1] !== undefined ? Boolean(arguments[1]) : undefined;
    if (tokens.includes(name)) {
      if (force) return true;
      this.#update(tokens.filter((one) => one !== name));
      return false;
    }
    if (force === false) return false;
    this.#update([...tokens, name]);
    return true;
  }
  replace(token, other) {
    needArgs('DOMTokenList', 'replace', arguments, 2);
    const [from, to] = check('replace', [token, other]);
    const tokens = this.#tokens();
    if (!tokens.includes(from)) return false;
    this.#update([...new Set(tokens.map((one) => (one === from ? to : one)))]);
    return true;
  }
  forEach(callback, receiver = undefined) { this.#tokens().forEach((one, i) => Reflect.apply(callback, receiver, [one, i, this])); }
  toString() { return this.value; }
  * values() { yield* this.#tokens(); }
}
describe(DOMTokenList, isTokens, { inspect() { return `DOMTokenList(${this.length}) ['${[...this.values()].join("', '")}']`; } });
Object.defineProperty(DOMTokenList.prototype, Symbol.iterator, {
  value: DOMTokenList.prototype.values, writable: true, configurable: true,
});

function check(member, tokens) {
  const texts = tokens.map((token) => `${token}`);
  for (const token of texts) {
    if (token === '') {
      throw domError('SyntaxError', 'DOMTokenList', member, 'The token provided must not be empty.',
                     'The empty string is not a valid token.');
    }
    if (!/[\t\n\f\r ]/.test(token)) continue;
    throw domError('InvalidCharacterError', 'DOMTokenList', member,
                   `The token provided ('${token}') contains HTML space characters, which are not valid in tokens.`,
                   'The token can not contain whitespace.');
  }
  return texts;
}

// ---- dataset -------------------------------------------------------------------------------------------------------------------

class DOMStringMap { constructor() { throw illegalConstructor('DOMStringMap'); } }
describe(DOMStringMap);

const attributeOf = (key) => `data-${key.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;
const keyOf = (name) => name.slice(5).replace(/-([a-z])/g, (all, c) => c.toUpperCase());

function makeDataset(element) {
  return new Proxy(Object.create(DOMStringMap.prototype), {
    get(target, key) {
      if (typeof key === 'symbol') return Reflect.get(target, key);
      return element.getAttribute(attributeOf(key)) ?? Reflect.get(target, key);
    },
    has(target, key) { return (typeof key === 'string' && element.hasAttribute(attributeOf(key))) || Reflect.has(target, key); },
    set(target, key, value) {
      if (/-[a-z]/.test(key)) {
        const { DOMException } = require('web/dom_exception');
        throw new DOMException(isFirefox() ? 'An invalid or illegal string was specified' :
          `Failed to set a named property '${key}' on 'DOMStringMap': '${key}' is not a valid property name.`, 'SyntaxError');
      }
      element.setAttribute(attributeOf(key), `${value}`);
      return true;
    },
    deleteProperty(target, key) {
      element.removeAttribute(attributeOf(key));
      return true;
    },
    ownKeys() { return element.getAttributeNames().filter((name) => name.startsWith('data-')).map(keyOf); },
    getOwnPropertyDescriptor(target, key) {
      const value = typeof key === 'string' ? element.getAttribute(attributeOf(key)) : null;
      return value === null ? undefined : { value, writable: true, enumerable: true, configurable: true };
    },
  });
}

// ---- attributes ----------------------------------------------------------------------------------------------------------------

let isAttr;
class Attr {
  #element;
  #name;
  static { isAttr = (value) => isObject(value) && #name in value; }
  static length = 0;
  constructor(key, element, name) {
    if (key !== kKey) throw illegalConstructor('Attr');
    this.#element = element;
    this.#name = name;
  }
  get name() { return this.#name; }
  get localName() { return this.#name; }
  get value() { return this.#element.getAttribute(this.#name) ?? ''; }
  set value(text) { this.#element.setAttribute(this.#name, text); }
  get ownerElement() { return this.#element; }
  get specified() { return true; }
}
describe(Attr, isAttr, { inspect() { return `${this.name}="${this.value}"`; } });

class NamedNodeMap {
  static length = 0;
  constructor(key) { if (key !== kKey) throw illegalConstructor('NamedNodeMap'); }
  get length() { return read(this).length; }
  item(index) { return read(this)[index >>> 0] ?? null; }
  getNamedItem(name) { return read(this).find((one) => one.name === `${name}`) ?? null; }
}
describe(NamedNodeMap, isCollection, { inspect });
Object.defineProperty(NamedNodeMap.prototype, Symbol.iterator, {
  value: { values() { return read(this).values(); } }.values, writable: true, configurable: true,
});

const liveAttributes = (element) =>
  liveList(NamedNodeMap, () => element.getAttributeNames().map((name) => new Attr(kKey, element, name)));

module.exports = {
  Attr, DOMStringMap, DOMTokenList, HTMLCollection, NamedNodeMap, NodeList, kKey, liveAttributes, liveList, makeDataset, staticList,
};
