// Where something is in a Buffer, how two compare, and what is copied and filled (lib/buffer.js, src/node_buffer.cc).
'use strict';

const {
  badSize, byteLengthOf, checkBytes, checkIndex, indexOutOfRange, isUint8Array, isView, kBytes, lengthOf, outOfBounds, typedArray, uncurry,
  unknownEncoding,
} = require('internal/buffer_checks');
const { bytesOf, codecOf, codecs, latin1Slice, set, view } = require('internal/buffer_codecs');
const { makeError } = require('internal/errors');
const { invalidArgType, invalidArgValue, outOfRange, validateString } = require('internal/validate');
const { atLeast } = require('internal/version');

const [arrayFill, arrayIndexOf, arrayLastIndexOf] = ['fill', 'indexOf', 'lastIndexOf'].map((name) => uncurry(typedArray[name]));
const [textIndexOf, textLastIndexOf] = ['indexOf', 'lastIndexOf'].map((name) => uncurry(String.prototype[name]));
const { floor, max, min } = Math;

// What was a Buffer to functions that later took any Uint8Array.
function isBytes(value) { return atLeast(8) ? isUint8Array(value) : value instanceof require('buffer').Buffer; }
const orUint8Array = (words) => (atLeast(8) ? `${words} or Uint8Array` : words);

// ---- comparison ----------------------------------------------------------------------------------------------------------------

function order(a, aStart, aEnd, b, bStart, bEnd) {
  const one = latin1Slice(a, aStart, min(aEnd, a.length));
  const other = latin1Slice(b, bStart, min(bEnd, b.length));
  return one < other ? -1 : one > other ? 1 : 0;
}

function compareAll(a, b) { return a === b ? 0 : order(a, 0, a.length, b, 0, b.length); }

function compareBuffers(buf1, buf2) {
  if (atLeast(10)) {
    checkBytes(buf1, 'buf1');
    checkBytes(buf2, 'buf2');
  } else if (!isBytes(buf1) || !isBytes(buf2)) {
    throw new TypeError(atLeast(8) ? 'Arguments must be Buffers or Uint8Arrays' : 'Arguments must be Buffers');
  }
  return compareAll(buf1, buf2);
}

function checkOther(value, name) {
  if (atLeast(10)) checkBytes(value, name);
  else if (!isBytes(value)) throw new TypeError(orUint8Array('Argument must be a Buffer'));
}

// A start or an end of what compare() looks at.
function limit(value, name, otherwise, most) {
  if (value === undefined) return otherwise;
  if (atLeast(12)) {
    checkIndex(value, name, most);
    return value;
  }
  if (most === undefined ? value < 0 : value > most) {
    if (!atLeast(11)) throw indexOutOfRange('out of range index');
    throw outOfRange(name, most === undefined ? '>= 0' : `<= ${most}`, value);
  }
  return value >>> 0;
}

function compare(target, targetStart, targetEnd, sourceStart, sourceEnd) {
  checkOther(target, 'target');
  if (arguments.length === 1 || !atLeast(6)) return compareAll(this, target);
  targetStart = limit(targetStart, 'targetStart', 0);
  targetEnd = limit(targetEnd, 'targetEnd', target.length, target.length);
  sourceStart = limit(sourceStart, 'sourceStart', 0);
  sourceEnd = limit(sourceEnd, 'sourceEnd', this.length, this.length);
  if (sourceStart >= sourceEnd) return targetStart >= targetEnd ? 0 : -1;
  if (targetStart >= targetEnd) return 1;
  if (targetStart > target.length) throw outOfRange('targetStart', `<= ${target.length}`, targetStart);
  return order(this, sourceStart, sourceEnd, target, targetStart, targetEnd);
}

function equals(otherBuffer) {
  checkOther(otherBuffer, 'otherBuffer');
  return this === otherBuffer || (byteLengthOf(this) === byteLengthOf(otherBuffer) && compareAll(this, otherBuffer) === 0);
}

// ---- search ------------------------------------------------------------------------------------------------------------------

// The index at which to begin; -1: there is nothing to find. `size`: of what is looked for.
function firstIndex(length, offset, size, isForward) {
  if (offset < 0) {
    if (offset + length >= 0) return length + offset;
    return isForward || size === 0 ? 0 : -1;
  }
  if (offset + size <= length) return offset;
  if (size === 0) return length;
  return isForward ? -1 : length - 1;
}

function findByte(buffer, byte, offset, isForward, end) {
  const from = firstIndex(buffer.length, offset, 1, isForward);
  if (from < 0 || buffer.length === 0) return -1;
  const bytes = view(buffer, 0, min(end, buffer.length));
  return isForward ? arrayIndexOf(bytes, byte & 0xff, from) : arrayLastIndexOf(bytes, byte & 0xff, from);
}

// `unit`: of how many bytes a character is.
function findBytes(buffer, bytes, offset, isForward, end, unit) {
  const { length } = bytes;
  const from = firstIndex(buffer.length, offset, length, isForward);
  if (length === 0) return atLeast(8) ? min(from, end) : -1;
  const most = min(end, buffer.length);
  if (from < 0 || most === 0 || length > most || (isForward && from + length > most)) return -1;
  if (unit === 2 && (most < 2 || length < 2)) return -1;
  const at = unit === 2 ? from & ~1 : from;
  const count = unit === 2 ? length & ~1 : length;
  return isForward ? findForward(buffer, bytes, at, most, count, unit) : findBackward(buffer, bytes, at, most, count, unit);
}

const kTries = 32;  // places of the first byte, after which texts are compared

function findForward(buffer, bytes, at, end, count, unit) {
  const all = view(buffer, 0, end);
  for (let i = 0; i < kTries; i++) {
    at = arrayIndexOf(all, bytes[0], at);
    if (at < 0 || at + count > end) return -1;
    let same = at % unit === 0 ? 1 : 0;
    while (same > 0 && same < count && all[at + same] === bytes[same]) same++;
    if (same === count) return at;
    at++;
  }
  const text = latin1Slice(buffer, 0, end);
  const wanted = latin1Slice(bytes, 0, count);
  while ((at = textIndexOf(text, wanted, at)) % unit === 1) at++;
  return at;
}

function findBackward(buffer, bytes, at, end, count, unit) {
  const text = latin1Slice(buffer, 0, end);
  const wanted = latin1Slice(bytes, 0, count);
  while ((at = textLastIndexOf(text, wanted, at)) % unit === 1) at--;
  return at;
}

// Of a text, the bytes of it.
function codecOfSearch(encoding) {
  if (encoding === undefined) return codecs.utf8;
  return codecOf(encoding);
}

function search(buffer, value, offset, end, encoding, isForward) {
  if (atLeast(12) && !isView(buffer)) throw invalidArgType('buffer', ['Buffer', 'TypedArray', 'DataView'], buffer);
  if (typeof offset === 'string') {
    encoding = offset;
    offset = undefined;
  } else if (offset > 0x7fffffff) {
    offset = 0x7fffffff;
  } else if (offset < -0x80000000) {
    offset = -0x80000000;
  }
  offset = +offset;
  if (!atLeast(6)) offset >>= 0;
  if (Number.isNaN(offset)) offset = isForward ? 0 : atLeast(8) ? buffer.length || buffer.byteLength : buffer.length - 1;
  offset = Math.trunc(offset);
  const codec = typeof value === 'number' ? undefined : codecOfSearch(encoding);
  if (typeof value === 'number') return findByte(buffer, value >>> 0, offset, isForward, end);
  if (typeof value === 'string') {
    if (codec === undefined) throw unknownEncoding(atLeast(12) ? encoding : `${encoding}`.toLowerCase());
    return findBytes(buffer, bytesOf(value, codec), offset, isForward, end, codec.unit);
  }
  if (isBytes(value)) return findBytes(buffer, value, offset, isForward, end, codec?.unit ?? 1);
  if (!atLeast(6)) throw new TypeError('val must be string, number or Buffer');
  if (!atLeast(10)) {
    const words = atLeast(8) ? 'string, number, Buffer or Uint8Array' : 'string, number or Buffer';
    throw new TypeError(`"val" argument must be ${words}`);
  }
  throw invalidArgType('value', [...(atLeast(12) ? ['number'] : []), 'string', ...kBytes], value);
}

// Since 24 what is looked for may have to be before an index.
function searchBefore(buffer, value, offset, end, encoding, isForward) {
  if (!atLeast(24)) return search(buffer, value, offset, Infinity, end, isForward);
  if (typeof end === 'string') return search(buffer, value, offset, Infinity, end, isForward);
  if (end === undefined) return search(buffer, value, offset, Infinity, encoding, isForward);
  end = Math.trunc(+end) || 0;
  return search(buffer, value, offset, max(0, end), encoding, isForward);
}

function indexOf(value, offset, end, encoding) { return searchBefore(this, value, offset, end, encoding, true); }
function lastIndexOf(value, offset, end, encoding) { return searchBefore(this, value, offset, end, encoding, false); }
function includes(value, offset, end, encoding) { return searchBefore(this, value, offset, end, encoding, true) !== -1; }

// ---- copy ----------------------------------------------------------------------------------------------------------------------

function copyBytes(source, target, targetStart, sourceStart, sourceEnd) {
  const count = min(sourceEnd - sourceStart, target.byteLength - targetStart, source.byteLength - sourceStart);
  if (count <= 0) return 0;
  set(view(target, 0, target.byteLength), view(source, sourceStart, sourceStart + count), targetStart);
  return count;
}

// Until 11: an index, as C++ takes it.
function oldIndex(value, otherwise) {
  if (value === undefined) return otherwise;
  const index = Math.trunc(+value);
  if (Number.isNaN(index) && (atLeast(10) || typeof value !== 'number')) return 0;
  if (index >= 0) return index;
  if (!atLeast(10)) throw new RangeError('out of range index');
  throw makeError('RangeError', 'Index out of range', atLeast(11) ? 'ERR_OUT_OF_RANGE' : 'ERR_INDEX_OUT_OF_RANGE', false);
}

function copyOld(source, target, targetStart, sourceStart, sourceEnd) {
  if (atLeast(8) ? !isView(target) : !isUint8Array(target)) {
    throw atLeast(10) ? makeError('TypeError', 'argument must be a buffer', 'ERR_INVALID_ARG_TYPE', false) :
      new TypeError('argument should be a Buffer');
  }
  targetStart = oldIndex(targetStart, 0);
  sourceStart = oldIndex(sourceStart, 0);
  sourceEnd = oldIndex(sourceEnd, source.length);
  if (targetStart >= target.byteLength || sourceStart >= sourceEnd) return 0;
  if (sourceStart > source.length) oldIndex(-1);
  return copyBytes(source, target, targetStart, sourceStart, sourceEnd);
}

// As a whole number; 0 where it is none, or too large to be exact.
function whole(value) {
  value = +value;
  return Number.isNaN(value) || !(Math.abs(value) <= Number.MAX_SAFE_INTEGER) ? 0 : floor(value);
}

function copyIndex(value, name, otherwise, most = Infinity) {
  if (value === undefined) return otherwise;
  value = whole(value);
  if (value < 0 || value > most) throw outOfRange(name, most === Infinity ? '>= 0' : `>= 0 && <= ${most}`, value);
  return value;
}

function copy(target, targetStart, sourceStart, sourceEnd) {
  if (!atLeast(12)) return copyOld(this, target, targetStart, sourceStart, sourceEnd);
  const isOne = atLeast(22) ? isView : isUint8Array;
  if (!isOne(this)) throw invalidArgType('source', kBytes, this);
  if (!isOne(target)) throw invalidArgType('target', kBytes, target);
  const size = this.byteLength;
  targetStart = copyIndex(targetStart, 'targetStart', 0);
  sourceStart = copyIndex(sourceStart, 'sourceStart', 0, atLeast(18) ? size : undefined);
  sourceEnd = copyIndex(sourceEnd, 'sourceEnd', size);
  if (targetStart >= target.byteLength || sourceStart >= sourceEnd) return 0;
  if (sourceStart > size) throw outOfRange('sourceStart', `<= ${size}`, sourceStart);
  return copyBytes(this, target, targetStart, sourceStart, sourceEnd);
}

// ---- fill ------------------------------------------------------------------------------------------------------------------------

function repeat(buffer, bytes, start, end) {
  const { length } = bytes;
  if (length === 0) return;
  if (length === 1) {
    arrayFill(buffer, bytes[0], start, end);
    return;
  }
  const target = view(buffer, start, end);
  set(target, length > target.length ? bytes.subarray(0, target.length) : bytes);
  for (let done = length; done < target.length; done *= 2) {
    set(target, target.subarray(0, min(done, target.length - done)), done);
  }
}

// Since 12 the offsets are checked; before that they are not to be outside.
function fillRange(buffer, offset, end) {
  if (offset === undefined) return [0, buffer.length];
  if (atLeast(12)) {
    checkIndex(offset, 'offset');
    if (end === undefined) return [offset, buffer.length];
    checkIndex(end, 'end', buffer.length);
    return [offset, end];
  }
  if (offset < 0) throw atLeast(11) ? outOfRange('offset', '>= 0', offset) : indexOutOfRange();
  if (end === undefined) return [offset >>> 0, buffer.length];
  if (end < 0 || end > buffer.length) throw atLeast(11) ? outOfRange('end', `>= 0 and <= ${buffer.length}`, end) : indexOutOfRange();
  return [offset >>> 0, end >>> 0];
}

function fillWith(buffer, value, offset, end, encoding) {
  let codec;
  if (typeof value === 'string') {
    if (offset === undefined || typeof offset === 'string') {
      encoding = offset;
      offset = 0;
      end = buffer.length;
    } else if (typeof end === 'string') {
      encoding = end;
      end = buffer.length;
    }
    codec = encoding === undefined || encoding === null || encoding === '' ? codecs.utf8 : codecOf(encoding);
    if (codec === undefined || (typeof encoding !== 'string' && encoding !== undefined && encoding !== null)) {
      validateString(encoding, 'encoding');
      throw unknownEncoding(encoding);
    }
    if (value === '') value = 0;
  }
  [offset, end] = fillRange(buffer, offset, end);
  if (offset >= end) return buffer;
  const given = value;
  const bytes = typeof value === 'string' ? bytesOf(value, codec) : isView(value) ? view(value, 0, value.byteLength) : [value & 0xff];
  if (end > byteLengthOf(buffer)) throw outOfBounds();
  if (bytes.length === 0) throw invalidArgValue('value', given);
  repeat(buffer, bytes, offset, end);
  return buffer;
}

// Until 8. False: there was nothing to fill with.
function fillOld(buffer, value, start, end, encoding) {
  let codec = codecs.utf8;
  if (!atLeast(6)) {
    start >>= 0;
    end = end === undefined ? buffer.length : end >> 0;
    if (start < 0 || end > buffer.length) throw new RangeError('out of range index');
    if (typeof value !== 'string') value = value >>> 0;
    else if (value.length === 1 && value.charCodeAt(0) < 256) codec = codecs.latin1;
  } else if (typeof value === 'string') {
    if (typeof start === 'string') {
      encoding = start;
      start = 0;
      end = buffer.length;
    } else if (typeof end === 'string') {
      encoding = end;
      end = buffer.length;
    }
    if (encoding !== undefined && typeof encoding !== 'string') throw new TypeError('encoding must be a string');
    codec = encoding === undefined || encoding === '' ? codecs.utf8 : codecOf(encoding);
    if (codec === undefined) throw unknownEncoding(encoding);
  }
  if (value === '') value = 0;
  if (start < 0 || end > buffer.length) throw new RangeError('Out of range index');
  if (end <= start) return false;
  start = start >>> 0;
  end = end === undefined ? buffer.length : end >>> 0;
  if (start > end) throw new RangeError('out of range index');
  const isOne = atLeast(8) ? isView : isUint8Array;
  const bytes = typeof value === 'string' ? bytesOf(value, codec) : isOne(value) ? view(value, 0, value.byteLength) : [value & 0xff];
  if (bytes.length === 0 || start >= end) return false;
  repeat(buffer, bytes, start, end);
  return true;
}

function fill(value, offset, end, encoding) {
  if (atLeast(10)) return fillWith(this, value, offset, end, encoding);
  fillOld(this, value, offset, end, encoding);
  return this;
}

// ---- order of bytes --------------------------------------------------------------------------------------------------------------

function swapEach(buffer, size) {
  const length = lengthOf(buffer);
  if (length % size !== 0) throw badSize(`${8 * size}-bits`);
  for (let at = 0; at < length; at += size) {
    for (let i = at, j = at + size - 1; i < j; i++, j--) {
      const byte = buffer[i];
      buffer[i] = buffer[j];
      buffer[j] = byte;
    }
  }
  return buffer;
}
function swap16() { return swapEach(this, 2); }
function swap32() { return swapEach(this, 4); }
function swap64() { return swapEach(this, 8); }

module.exports = {
  compare, compareBuffers, copy, copyBytes, equals, fill, fillOld, fillWith, includes, indexOf, isBytes, lastIndexOf, repeat,
  swap16, swap32, swap64,
};
