// What the packages of streams take from Node's errors (lib/internal/errors.js): codes.NAME makes one, with or without `new`.
'use strict';

const { makeNodeError } = require('internal/errors');
const { format, inspect } = require('internal/inspect');
const { AbortError, invalidArgType, outOfRange } = require('internal/validate');
const { atLeast } = require('internal/version');

// Before Node 10 errors have no codes.
function make(Base, code, message) {
  return atLeast(10) ? makeNodeError(Base, code, message) : new Base(message);
}

function typeOf(value) {
  return value?.constructor?.name ? `an instance of ${value.constructor.name}` : `type ${typeof value}`;
}

const codes = {
  ERR_ILLEGAL_CONSTRUCTOR() { return make(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor'); },
  ERR_INVALID_ARG_TYPE(name, expected, value) {
    if (atLeast(12)) return invalidArgType(name, expected, value);
    const list = Array.isArray(expected) ? expected : [expected];
    const words = list.length > 2 ? `one of type ${list.slice(0, -1).join(', ')}, or ${list[list.length - 1]}` :
      list.length === 2 ? `one of type ${list[0]} or ${list[1]}` : `of type ${list[0]}`;
    return make(TypeError, 'ERR_INVALID_ARG_TYPE', `The "${name}" argument must be ${words}. Received type ${typeof value}`);
  },
  ERR_INVALID_ARG_VALUE(name, value, reason = 'is invalid') {
    let text = inspect(value);
    if (text.length > 128) text = `${text.slice(0, 128)}...`;
    const what = name.includes('.') && atLeast(16) ? 'property' : 'argument';
    return make(TypeError, 'ERR_INVALID_ARG_VALUE', `The ${what} '${name}' ${reason}. Received ${text}`);
  },
  ERR_INVALID_OPT_VALUE(name, value) {
    return make(TypeError, 'ERR_INVALID_OPT_VALUE', `The value "${String(value)}" is invalid for option "${name}"`);
  },
  ERR_INVALID_RETURN_VALUE(input, name, value) {
    return make(TypeError, 'ERR_INVALID_RETURN_VALUE',
                `Expected ${input} to be returned from the "${name}" function but got ${typeOf(value)}.`);
  },
  ERR_MISSING_ARGS(...names) {
    const quoted = names.map((name) => (Array.isArray(name) ? name.map((one) => `"${one}"`).join(' or ') : `"${name}"`));
    const list = quoted.length > 2 ? `${quoted.slice(0, -1).join(', ')}, and ${quoted[quoted.length - 1]}` : quoted.join(' and ');
    return make(TypeError, 'ERR_MISSING_ARGS', `The ${list} argument${quoted.length > 1 ? 's' : ''} must be specified`);
  },
  ERR_OUT_OF_RANGE(name, range, value) { return outOfRange(name, range, value); },
  ERR_MULTIPLE_CALLBACK() { return make(Error, 'ERR_MULTIPLE_CALLBACK', 'Callback called multiple times'); },
  ERR_METHOD_NOT_IMPLEMENTED(name) {
    return make(Error, 'ERR_METHOD_NOT_IMPLEMENTED', `The ${name} method is not implemented`);
  },
  ERR_STREAM_ALREADY_FINISHED(name) {
    return make(Error, 'ERR_STREAM_ALREADY_FINISHED', `Cannot call ${name} after a stream was finished`);
  },
  ERR_STREAM_CANNOT_PIPE() { return make(Error, 'ERR_STREAM_CANNOT_PIPE', 'Cannot pipe, not readable'); },
  ERR_STREAM_DESTROYED(name) {
    return make(Error, 'ERR_STREAM_DESTROYED', `Cannot call ${name} after a stream was destroyed`);
  },
  ERR_STREAM_ITER_MISSING_FLAG() {
    return make(Error, 'ERR_STREAM_ITER_MISSING_FLAG', 'The stream/iter API requires the --experimental-stream-iter flag');
  },
  ERR_STREAM_NULL_VALUES() { return make(TypeError, 'ERR_STREAM_NULL_VALUES', 'May not write null values to stream'); },
  ERR_STREAM_PREMATURE_CLOSE() { return make(Error, 'ERR_STREAM_PREMATURE_CLOSE', atLeast(10) ? 'Premature close' : 'premature close'); },
  ERR_STREAM_PUSH_AFTER_EOF() { return make(Error, 'ERR_STREAM_PUSH_AFTER_EOF', 'stream.push() after EOF'); },
  ERR_STREAM_UNABLE_TO_PIPE() {
    return make(Error, 'ERR_STREAM_UNABLE_TO_PIPE', 'Cannot pipe to a closed or destroyed stream');
  },
  ERR_STREAM_UNSHIFT_AFTER_END_EVENT() {
    return make(Error, 'ERR_STREAM_UNSHIFT_AFTER_END_EVENT', 'stream.unshift() after end event');
  },
  ERR_STREAM_WRITE_AFTER_END() { return make(Error, 'ERR_STREAM_WRITE_AFTER_END', 'write after end'); },
  ERR_UNKNOWN_ENCODING(name) { return make(TypeError, 'ERR_UNKNOWN_ENCODING', format('Unknown encoding: %s', name)); },
};
// Classes are named.
for (const name of Object.keys(codes)) {
  const { [name]: message } = codes;
  codes[name] = function (...args) { return message(...args); };
}

// The error of an operation, and another one that its clean-up had.
function aggregateTwoErrors(inner, outer) {
  if (!inner || !outer || inner === outer) return inner || outer;
  if (Array.isArray(outer.errors)) {
    outer.errors.push(inner);
    return outer;
  }
  const error = new AggregateError([outer, inner], outer.message);
  error.code = outer.code;
  return error;
}

module.exports = { AbortError, aggregateTwoErrors, codes, hideStackFrames: (fn) => fn };
