// Checks of arguments, and the errors that they throw (lib/internal/validators.js, lib/internal/errors.js).
'use strict';

const { makeNodeError, received } = require('internal/errors');
const { noteKind } = require('internal/own_places');
const { atLeast } = require('internal/version');

const kTypes = new Set(['string', 'function', 'number', 'object', 'Function', 'Object', 'boolean', 'bigint', 'symbol']);

function listOf(words, before) {
  if (words.length === 1) return before + words[0];
  if (words.length === 2) return `${before}${words[0]} or ${words[1]}`;
  return `${before}${words.slice(0, -1).join(', ')}, or ${words[words.length - 1]}`;
}

// Before 12: the names of types and classes as they are.
function oldListOf(expected) {
  if (expected.length === 1) return `of type ${expected[0]}`;
  return `one of type ${listOf(expected, '')}`;
}

// ERR_INVALID_ARG_TYPE. `expected`: a type, a class, or several.
function invalidArgType(name, expected, value) {
  const list = Array.isArray(expected) ? expected : [expected];
  const what = name.endsWith(' argument') ? name : `"${name}" ${name.includes('.') ? 'property' : 'argument'}`;
  if (!atLeast(12)) {
    return makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE', `The ${what} must be ${oldListOf(list)}. Received type ${typeof value}`);
  }
  const types = list.filter((word) => kTypes.has(word)).map((word) => word.toLowerCase());
  const classes = list.filter((word) => !kTypes.has(word) && /^(?:[A-Z][a-z0-9]*)+$/.test(word));
  const others = list.filter((word) => !kTypes.has(word) && !classes.includes(word));
  const parts = [];
  if (types.length) parts.push(types.length > 1 ? `one of type ${listOf(types, '')}` : `of type ${types[0]}`);
  if (classes.length) parts.push(listOf(classes, 'an instance of '));
  if (others.length > 1) parts.push(`one of ${listOf(others, '')}`);
  else if (others.length) parts.push(others[0].toLowerCase() === others[0] ? others[0] : `an ${others[0]}`);
  return makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE', `The ${what} must be ${parts.join(' or ')}.${received(value)}`);
}

// A number of many digits is shown in groups of three since 12.
function grouped(digits) {
  const least = digits[0] === '-' ? 5 : 4;
  let at = digits.length;
  let groups = '';
  for (; at >= least; at -= 3) groups = `_${digits.slice(at - 3, at)}${groups}`;
  return digits.slice(0, at) + groups;
}

function shownNumber(value) {
  if (!atLeast(12)) return `${value}`;
  if (typeof value === 'bigint') return `${value > 2n ** 32n || value < -(2n ** 32n) ? grouped(`${value}`) : value}n`;
  if (Number.isInteger(value) && Math.abs(value) > 2 ** 32) return grouped(`${value}`);
  return require('internal/inspect').inspect(value);
}

function outOfRange(name, range, value) {
  return makeNodeError(RangeError, 'ERR_OUT_OF_RANGE',
                       `The value of "${name}" is out of range. It must be ${range}. Received ${shownNumber(value)}`);
}

function invalidArgValue(name, value, reason = 'is invalid', Base = TypeError) {
  const what = atLeast(16) && name.includes('.') ? 'property' : 'argument';
  const text = require('internal/inspect').inspect(value);
  return makeNodeError(Base, 'ERR_INVALID_ARG_VALUE',
                       `The ${what} '${name}' ${reason}. Received ${text.length > 128 ? `${text.slice(0, 128)}...` : text}`);
}

function validateFunction(value, name) {
  if (typeof value !== 'function') throw invalidArgType(name, 'Function', value);
}

// Of timers and ticks: versions before 18 have an error of its own for a callback. `caller`: the function that was given it.
function validateCallback(value, caller) {
  if (typeof value === 'function') return;
  if (atLeast(18)) throw invalidArgType('callback', 'Function', value);
  const isTick = caller === 'nextTick';
  throw noteKind(callbackError(value, isTick), isTick || (!atLeast(12) && caller !== 'setTimeout') ? caller : 'callback');
}

function callbackError(value, isTick) {
  if (!atLeast(10)) {
    if (!isTick) return new TypeError('"callback" argument must be a function');
    return atLeast(8) ? makeNodeError(TypeError, 'ERR_INVALID_CALLBACK', 'callback must be a function') :
      new TypeError('callback is not a function');
  }
  let message = 'Callback must be a function';
  if (atLeast(12)) {
    const { inspect } = require('internal/inspect');
    message += `. Received ${inspect(value)}`;
  }
  return makeNodeError(TypeError, 'ERR_INVALID_CALLBACK', message);
}

function validateBoolean(value, name) {
  if (typeof value !== 'boolean') throw invalidArgType(name, 'boolean', value);
}

function validateString(value, name) {
  if (typeof value !== 'string') throw invalidArgType(name, 'string', value);
}

function validateNumber(value, name, least) {
  if (typeof value !== 'number') throw invalidArgType(name, 'number', value);
  if ((least != null && value < least) || (least != null && Number.isNaN(value))) throw outOfRange(name, `>= ${least}`, value);
}

function validateInteger(value, name, least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER) {
  if (typeof value !== 'number') throw invalidArgType(name, 'number', value);
  if (!Number.isInteger(value)) throw outOfRange(name, 'an integer', value);
  if (value < least || value > most) throw outOfRange(name, `>= ${least} && <= ${most}`, value);
}

function validateObject(value, name) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw invalidArgType(name, 'Object', value);
}

function validateAbortSignal(signal, name) {
  if (signal !== undefined && (signal === null || typeof signal !== 'object' || !('aborted' in signal))) {
    throw invalidArgType(name, 'AbortSignal', signal);
  }
}

// What Node's own functions reject with when a signal aborts them.
class AbortError extends Error {
  constructor(message = 'The operation was aborted', options = undefined) {
    super(message, options);
    this.code = 'ABORT_ERR';
    this.name = 'AbortError';
  }
}

// The same with the signal's reason as its cause, where the version tells it.
function abortErrorOf(signal) {
  return atLeast(16) ? new AbortError(undefined, { cause: signal.reason }) : new AbortError();
}

module.exports = {
  AbortError, abortErrorOf, invalidArgType, invalidArgValue, outOfRange, validateAbortSignal, validateBoolean,
  validateCallback, validateFunction, validateInteger, validateNumber, validateObject, validateString,
};
