// Copies of values that go elsewhere: structuredClone(), messages, states of the history (HTML standard, section 2.7).
'use strict';

const native = internalBinding;
const { transfer: detach } = ArrayBuffer.prototype;
const { hasOwn } = Object;

const { DOMException, isException } = require('web/dom_exception');
const { interfaceOf } = require('web/webidl');
const { isFirefox, isObject, prefixed, typeError } = require('web/words');

const kErrors = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const kTypedArray = Object.getPrototypeOf(Uint8Array);
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const tagOfTypedArray = getter(kTypedArray.prototype, Symbol.toStringTag);

// Whether the getter or method takes the value for one of its own.
function isOne(check) {
  return (value) => {
    try {
      Reflect.apply(check, value, []);
      return true;
    } catch {
      return false;
    }
  };
}
const isMap = isOne(getter(Map.prototype, 'size'));
const isSet = isOne(getter(Set.prototype, 'size'));
const isDate = isOne(Date.prototype.getTime);
const isRegExp = (value) => value !== RegExp.prototype && isOne(getter(RegExp.prototype, 'source'))(value);
const isArrayBuffer = isOne(getter(ArrayBuffer.prototype, 'byteLength'));
const isDataView = isOne(getter(DataView.prototype, 'byteLength'));
const kBoxes = [Number, String, Boolean, BigInt].map((Box) => [Box, isOne(Box.prototype.valueOf)]);
const isError = typeof Error.isError === 'function' ? Error.isError
                                                    : (value) => Object.prototype.toString.call(value) === '[object Error]';
// A buffer without bytes has no view once it is detached.
const isDetached = (buffer) => {
  if (typeof buffer.detached === 'boolean') return buffer.detached;
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
};
const kUncloneable = new Set([
  'Promise', 'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry', 'Generator', 'AsyncGenerator', 'Map Iterator', 'Set Iterator',
  'Array Iterator', 'String Iterator', 'RegExp String Iterator', 'Symbol',
]);

// ports.js: what a port is, and how it moves.
const ports = { isPort: () => false, isDetached: () => false, move: (port) => port };

function makeFailure(Interface, member) {
  return (chrome, firefox = chrome) =>
    new DOMException(isFirefox() ? firefox : prefixed(Interface, member, chrome), 'DataCloneError');
}

class Copier {
  #copies;
  #fail;
  constructor(moved, fail) {
    this.#copies = new Map(moved);
    this.#fail = fail;
  }
  #uncloneable(value, name) {
    const tag = value === globalThis ? 'Window' : tagOf(value);
    const short = tag.endsWith('Generator') || tag === 'Symbol' ? `[object ${tag}]` : `#<${tag}>`;
    const chrome = typeof value === 'object' ? name ?? short : String(value);
    const kind = typeof value === 'function' ? 'Function' : value === globalThis ? 'Proxy' : tagOf(value);
    const firefox = typeof value === 'symbol' ? 'unsupported type for structured data' : `${name ?? `${kind} object`} could not be cloned.`;
    return this.#fail(`${chrome} could not be cloned.`, firefox);
  }
  copy(value) {
    if (typeof value === 'function' || typeof value === 'symbol') throw this.#uncloneable(value);
    if (value === null || typeof value !== 'object') return value;
    if (this.#copies.has(value)) return this.#copies.get(value);
    if (value === globalThis || native.proxyDetails?.(value) !== undefined) throw this.#uncloneable(value);
    if (Array.isArray(value)) return this.#properties(value, this.#keep(value, new Array(value.length)));
    if (isMap(value)) return this.#map(value);
    if (isSet(value)) return this.#set(value);
    if (isDate(value)) return this.#keep(value, new Date(Date.prototype.getTime.call(value)));
    if (isRegExp(value)) return this.#keep(value, new RegExp(value.source, value.flags));
    if (isArrayBuffer(value)) {
      if (isDetached(value)) {
        throw this.#fail('An ArrayBuffer is detached and could not be cloned.', 'attempting to access detached ArrayBuffer');
      }
      return this.#keep(value, ArrayBuffer.prototype.slice.call(value, 0));
    }
    if (ArrayBuffer.isView(value)) return this.#view(value);
    if (isException(value)) return this.#keep(value, new DOMException(value.message, value.name));
    if (isError(value)) return this.#error(value);
    for (const [Box, is] of kBoxes) if (is(value)) return this.#keep(value, Object(Box.prototype.valueOf.call(value)));
    if (ports.isPort(value)) {
      throw this.#fail('A MessagePort could not be cloned because it was not transferred.', 'MessagePort object could not be cloned.');
    }
    if (interfaceOf(value) !== undefined) throw this.#uncloneable(value, `${tagOf(value)} object`);
    if (kUncloneable.has(tagOf(value))) throw this.#uncloneable(value);
    return this.#properties(value, this.#keep(value, {}));
  }
  #keep(value, copy) {
    this.#copies.set(value, copy);
    return copy;
  }
  #properties(value, copy) {
    for (const key of Object.keys(value)) {
      if (!hasOwn(value, key)) continue;  // one that is gone by now
      Object.defineProperty(copy, key, {
        __proto__: null, value: this.copy(value[key]), writable: true, enumerable: true, configurable: true,
      });
    }
    return copy;
  }
  #map(value) {
    const copy = this.#keep(value, new Map());
    for (const [key, item] of [...Map.prototype.entries.call(value)]) copy.set(this.copy(key), this.copy(item));
    return copy;
  }
  #set(value) {
    const copy = this.#keep(value, new Set());
    for (const item of [...Set.prototype.values.call(value)]) copy.add(this.copy(item));
    return copy;
  }
  #view(value) {
    const buffer = this.copy(value.buffer);
    if (isDataView(value)) return this.#keep(value, new DataView(buffer, value.byteOffset, value.byteLength));
    const Type = globalThis[tagOfTypedArray.call(value)];
    return this.#keep(value, new Type(buffer, value.byteOffset, value.length));
  }
  #error(value) {
    const name = `${value.name}`;
    const copy = this.#keep(value, new (hasOwn(kErrors, name) ? kErrors[name] : Error)());
    const define = (key, item) =>
      Object.defineProperty(copy, key, { __proto__: null, value: item, writable: true, enumerable: false, configurable: true });
    const message = Object.getOwnPropertyDescriptor(value, 'message');
    if (message && 'value' in message) define('message', String(message.value));
    else if (hasOwn(copy, 'message')) delete copy.message;
    if (typeof value.stack === 'string') define('stack', value.stack);
    if (hasOwn(value, 'cause')) define('cause', this.copy(value.cause));
    return copy;
  }
}
const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

// A list of what is to be moved, as given in options or as an argument of its own.
function readTransfer(given, Interface, member) {
  if (given === undefined || given === null) return [];
  const list = isObject(given) && typeof given[Symbol.iterator] === 'function' ? given : isObject(given) ? given.transfer ?? [] : undefined;
  if (list === undefined || !isObject(list) || typeof list[Symbol.iterator] !== 'function') {
    throw typeError(Interface, member, 'Overload resolution failed.', 'Argument 2 is not valid for any of the 2-argument overloads.');
  }
  const items = [...list];
  if (!items.every(isObject)) {
    throw typeError(Interface, member,
                    "Failed to read the 'transfer' property from 'StructuredSerializeOptions': Failed to convert value to 'object'.",
                    "Element of 'transfer' member of StructuredSerializeOptions is not an object.");
  }
  return items;
}

// { value, ports }: a copy, and the ports among what is moved. source: the port that sends it.
function cloneWith(value, items, Interface, member, source) {
  const fail = makeFailure(Interface, member);
  const seen = new Set();
  items.forEach((item, i) => {
    const isPort = ports.isPort(item);
    if (!isPort && !isArrayBuffer(item)) {
      throw fail(`Value at index ${i} does not have a transferable type.`, 'invalid transferable array for structured clone');
    }
    if (seen.has(item)) {
      throw fail(isPort ? `Message port at index ${i} is a duplicate of an earlier port.` :
        `ArrayBuffer at index ${i} is a duplicate of an earlier ArrayBuffer.`, 'duplicate transferable for structured clone');
    }
    seen.add(item);
    if (item === source) throw fail(`Port at index ${i} contains the source port.`, 'The object could not be cloned.');
    if (isPort && ports.isDetached(item)) {
      throw fail(`Port at index ${i} is already neutered.`, 'invalid transferable array for structured clone');
    }
    if (!isPort && isDetached(item)) {
      throw fail(`ArrayBuffer at index ${i} is already detached.`, 'attempting to access detached ArrayBuffer');
    }
  });
  // All is copied before anything changes hands: what cannot be copied leaves all as it is.
  const holders = items.filter((item) => !ports.isPort(item)).map((item) => [item, new ArrayBuffer(item.byteLength)]);
  const moved = new Map(holders);
  const placeholders = new Map(items.filter(ports.isPort).map((port) => [port, {}]));
  new Copier([...moved, ...placeholders], fail).copy(value);
  const received = items.filter(ports.isPort).map((port) => [port, ports.move(port)]);
  const buffers = holders.map(([item]) => [item, Reflect.apply(detach, item, [])]);
  return { value: new Copier([...received, ...buffers], fail).copy(value), ports: received.map(([, port]) => port) };
}

module.exports = { cloneWith, ports, readTransfer };
