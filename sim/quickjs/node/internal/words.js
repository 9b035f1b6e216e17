// Texts of values for messages and for the trace, without running any of the program's code: V8's Object::NoSideEffectsToString.
'use strict';

const native = internalBinding;
const { DOMException } = require('internal/dom_exception');

const { getOwnPropertyDescriptor, getPrototypeOf, prototype: { toString: objectToString } } = Object;
const aggregate = AggregateError.prototype;
const functionToString = Function.prototype.toString;
const { toString: symbolToString } = Symbol.prototype;
const { apply } = Reflect;
const kLongest = 128;  // characters of a function's text
const kKept = 111;

// Getters of the library, which run none of the program's code.
const harmless = new Set(['name', 'message'].map((key) => getOwnPropertyDescriptor(DOMException.prototype, key).get));

// The value of a property that an object or its prototypes have as data; undefined: an accessor, or there is a proxy.
function dataOf(object, key) {
  for (let at = object; at !== null; at = getPrototypeOf(at)) {
    if (native.proxyDetails(at) !== undefined) return undefined;
    const found = getOwnPropertyDescriptor(at, key);
    if (found !== undefined) return harmless.has(found.get) ? apply(found.get, object, []) : found.value;
  }
  return undefined;
}

function functionText(fn) {
  let text = apply(functionToString, fn, []);
  if (/^function bound [^]*\[native code\]\s*\}$/.test(text)) text = 'function () { [native code] }';  // as V8 has it
  return text.length > kLongest ? `${text.slice(0, kKept)}...<omitted>...${text.slice(-2)}` : text;
}

function textOf(value) {
  if (typeof value === 'symbol') return apply(symbolToString, value, []);
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return `${value}`;
  if (native.proxyDetails(value) !== undefined) return '#<Object>';
  if (typeof value === 'function') return functionText(value);
  const name = dataOf(value, 'name');
  if (Error.isError(value)) {
    const head = typeof name === 'string' ? name : 'Error';
    const message = dataOf(value, 'message');
    return typeof message === 'string' && message !== '' ? (head === '' ? message : `${head}: ${message}`) : head;
  }
  if (dataOf(value, 'toString') !== objectToString) {
    return Array.isArray(value) ? '[object Array]' : `#<${nameOf(dataOf(value, 'constructor')) || 'Object'}>`;
  }
  return `#<${nameOf(dataOf(value, 'constructor')) || 'Object'}>`;
}

// A function's own name; '' where the program would have to run to tell it.
function nameOf(fn) {
  if (typeof fn !== 'function' || native.proxyDetails(fn) !== undefined) return '';
  const name = getOwnPropertyDescriptor(fn, 'name')?.value;
  return typeof name === 'string' ? name : '';
}

// An error that a function of the language made, and that became a rejection before any of the program's code could see it,
// has no stack yet, and QuickJS's words.
function complete(error) {
  if (!Error.isError(error) || getOwnPropertyDescriptor(error, 'stack') !== undefined) return;
  if (getPrototypeOf(error) === aggregate) {
    Object.defineProperty(error, 'message', { __proto__: null, value: 'All promises were rejected', writable: true, configurable: true });
  }
  Error.captureStackTrace(error, complete);
}

module.exports = { complete, textOf };
