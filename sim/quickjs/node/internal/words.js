// What messages tell of functions, and errors that are completed when they become rejections.
'use strict';

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const aggregate = AggregateError.prototype;
const functionToString = Function.prototype.toString;
const { apply } = Reflect;
const kLongest = 128;  // characters of a function's text
const kKept = 111;

function functionText(fn) {
  const text = apply(functionToString, fn, []);
  return text.length > kLongest ? `${text.slice(0, kKept)}...<omitted>...${text.slice(-2)}` : text;
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

module.exports = { complete, functionText };
