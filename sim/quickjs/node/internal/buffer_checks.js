// What Buffer's functions check, and what they throw, in the words of each version of Node (lib/buffer.js, lib/internal/buffer.js).
'use strict';

const { makeError, makeNodeError } = require('internal/errors');
const { invalidArgType, invalidArgValue, outOfRange, validateInteger } = require('internal/validate');
const { atLeast, major } = require('internal/version');

const { apply, getPrototypeOf } = Reflect;
const { getOwnPropertyDescriptor } = Object;
const NativeArrayBuffer = ArrayBuffer;
const NativeSharedArrayBuffer = SharedArrayBuffer;
const { isView } = ArrayBuffer;

// A function that takes `this` as its first argument: what a program puts into the prototype later is not called.
const uncurry = (fn) => Function.prototype.call.bind(fn);
const typedArray = getPrototypeOf(Uint8Array.prototype);
const getterOf = (object, name) => uncurry(getOwnPropertyDescriptor(object, name).get);
const nameOfClass = getterOf(typedArray, Symbol.toStringTag);
const byteLengthOf = getterOf(typedArray, 'byteLength');
const lengthOf = getterOf(typedArray, 'length');
const sizes = [NativeArrayBuffer, NativeSharedArrayBuffer].map(({ prototype }) => getOwnPropertyDescriptor(prototype, 'byteLength').get);

const isUint8Array = (value) => nameOfClass(value) === 'Uint8Array';
const isTypedArray = (value) => nameOfClass(value) !== undefined;

function hasSize(value, getter) {
  try {
    apply(getter, value, []);
    return true;
  } catch {
    return false;
  }
}
function isArrayBuffer(value) { return value instanceof NativeArrayBuffer && hasSize(value, sizes[0]); }
// Also a SharedArrayBuffer, since Node has them.
function isAnyArrayBuffer(value) {
  return isArrayBuffer(value) || (value instanceof NativeSharedArrayBuffer && hasSize(value, sizes[1]));
}

// ---- limits ------------------------------------------------------------------------------------------------------------------

function kMaxLength() {
  if (!atLeast(14)) return 2 ** 31 - 1;
  if (!atLeast(16)) return 2 ** 32 - 1;
  return atLeast(22) ? Number.MAX_SAFE_INTEGER : 2 ** 32;
}
function kMaxString() { return atLeast(14) ? 2 ** 29 - 24 : 2 ** 30 - 25; }

// ---- errors ------------------------------------------------------------------------------------------------------------------

const kBytes = ['Buffer', 'Uint8Array'];
const kFirst = ['string', 'Buffer', 'ArrayBuffer', 'Array', 'Array-like Object'];

// Since 10 with a code, before it with these words.
function either(make, Base, words) { return atLeast(10) ? make() : new Base(words); }

const notFirst = (value) => either(
  () => invalidArgType('first argument', kFirst, value), TypeError,
  'First argument must be a string, Buffer, ArrayBuffer, Array, or array-like object.');
function unknownEncoding(encoding) {
  if (!atLeast(10)) return new TypeError(`Unknown encoding: ${encoding}`);
  const words = atLeast(12) ? require('internal/inspect').format('Unknown encoding: %s', encoding) : `Unknown encoding: ${encoding}`;
  return makeNodeError(TypeError, 'ERR_UNKNOWN_ENCODING', words);
}
function outOfBounds(name) {
  const attempt = `Attempt to ${atLeast(12) ? 'access memory' : 'write'} outside buffer bounds`;
  return makeNodeError(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', name === undefined ? attempt : `"${name}" is outside of buffer bounds`);
}
const indexOutOfRange = (words) => either(
  () => makeNodeError(RangeError, 'ERR_INDEX_OUT_OF_RANGE', 'Index out of range'), RangeError, words);
const badSize = (size) => either(
  () => makeNodeError(RangeError, 'ERR_INVALID_BUFFER_SIZE', `Buffer size must be a multiple of ${size}`), RangeError,
  `Buffer size must be a multiple of ${size}`);
// Of Node's C++, which has the code as a property alone.
const notString = () => (atLeast(10) ?
  makeError('TypeError', 'argument must be a string', 'ERR_INVALID_ARG_TYPE', false) : new TypeError('Argument must be a string'));
// What V8 says where Node's own text reads a property of nothing.
const cannotRead = (value, key) => new TypeError(
  atLeast(16) ? `Cannot read properties of ${value} (reading '${key}')` : `Cannot read property '${key}' of ${value}`);
const badLength = (length) => new RangeError(`Invalid typed array length${atLeast(8) ? `: ${length}` : ''}`);

// ---- checks ------------------------------------------------------------------------------------------------------------------

function checkNumber(value, name) {
  if (typeof value !== 'number') throw invalidArgType(name, 'number', value);
}

// An index that may be as large as the largest buffer.
function checkIndex(value, name, most = major() === 12 ? 2 ** 31 - 1 : kMaxLength()) { validateInteger(value, name, 0, most); }

function checkBytes(value, name) {
  if (!isUint8Array(value)) throw invalidArgType(name, kBytes, value);
}

// The size of a new buffer.
function checkSize(size) {
  if (!atLeast(10)) {
    if (typeof size !== 'number') throw new TypeError('"size" argument must be a number');
    if (atLeast(8) && size < 0) throw new RangeError('"size" argument must not be negative');
    if (atLeast(8) && size > kMaxLength()) throw new RangeError(`"size" argument must not be larger than ${kMaxLength()}`);
    if (size < 0) throw badLength(size);
    return;
  }
  checkNumber(size, 'size');
  if (size >= 0 && size <= kMaxLength()) return;
  if (atLeast(20)) throw outOfRange('size', `>= 0 && <= ${kMaxLength()}`, size);
  if (atLeast(16)) throw invalidArgValue('size', size, undefined, RangeError);
  if (Number.isNaN(size) && !atLeast(12)) return;
  throw makeNodeError(RangeError, 'ERR_INVALID_OPT_VALUE', `The value "${size}" is invalid for option "size"`);
}

module.exports = {
  badLength, badSize, byteLengthOf, cannotRead, checkBytes, checkIndex, checkNumber, checkSize, getterOf, indexOutOfRange,
  isAnyArrayBuffer, isArrayBuffer, isTypedArray, isUint8Array, isView, kBytes, kMaxLength, kMaxString, lengthOf, notFirst,
  notString, outOfBounds, typedArray, uncurry, unknownEncoding,
};
