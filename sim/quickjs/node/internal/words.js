// Texts of values for messages and for the trace, without running any of the program's code: V8's Object::NoSideEffectsToString.
'use strict';

const native = internalBinding;
const { classOf, typedArrayOf } = require('internal/class_of');
const { DOMException } = require('internal/dom_exception');
const { textOf: textOfFunction } = require('internal/function_text');
const { atLeast } = require('internal/version');

const { getOwnPropertyDescriptor, getPrototypeOf, prototype: { toString: objectToString } } = Object;
const aggregate = AggregateError.prototype;
const { toString: symbolToString } = Symbol.prototype;
const { apply } = Reflect;
const errorToString = Error.prototype.toString;
// JSReceiver::class_name() does not know them.
const withoutTag = new Set(['ArrayIterator', 'AsyncGenerator', 'FinalizationRegistry', 'IteratorConcat', 'IteratorHelper',
  'IteratorWrap', 'MapIterator', 'Promise', 'RegExpStringIterator', 'SetIterator', 'StringIterator', 'WeakRef']);
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
  const text = textOfFunction(fn);
  return text.length > kLongest ? `${text.slice(0, kKept)}...<omitted>...${text.slice(-2)}` : text;
}

function textOf(value) {
  if (typeof value === 'symbol') return apply(symbolToString, value, []);
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return `${value}`;
  const details = native.proxyDetails(value);
  if (details !== undefined) return textOfProxy(details[0]);
  if (typeof value === 'function') return functionText(value);
  if (Error.isError(value) || dataOf(value, 'toString') === errorToString) {
    const name = dataOf(value, 'name');
    const head = typeof name === 'string' ? name : 'Error';
    const message = dataOf(value, 'message');
    return typeof message === 'string' && message !== '' ? (head === '' ? message : `${head}: ${message}`) : head;
  }
  const name = dataOf(value, 'toString') === objectToString ? nameOf(dataOf(value, 'constructor')) : '';
  return name !== '' ? `#<${name}>` : `[object ${tagOf(value)}]`;
}

// Until V8 8.4 a proxy was an object like any other, then it has the text of its target.
function textOfProxy(target) {
  if (atLeast(16)) return target === null ? '#<Object>' : textOf(target);
  if (Error.isError(target)) return textOf(target);
  return typeof target === 'function' ? '[object Function]' : '[object Object]';
}

function tagOf(value) {
  const tag = dataOf(value, Symbol.toStringTag);
  if (typeof tag === 'string') return tag;
  if (Array.isArray(value)) return 'Array';
  const name = typedArrayOf(value) ?? classOf(value);
  return name === undefined || withoutTag.has(name) ? 'Object' : name;
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

module.exports = { complete, tagOf, textOf };
