// The other methods of a Buffer: as a text, parts of it, how it is shown (lib/buffer.js).
'use strict';

const native = internalBinding;
const {
  cannotRead, checkIndex, getterOf, lengthOf, notString, outOfBounds, typedArray, uncurry, unknownEncoding,
} = require('internal/buffer_checks');
const { codecOf, codecs } = require('internal/buffer_codecs');
const { inspect: inspectValue } = require('internal/inspect');
const { makeError, makeNodeError } = require('internal/errors');
const { atLeast } = require('internal/version');

const { trunc } = Math;
const arraySlice = uncurry(Array.prototype.slice);
const bufferOf = getterOf(typedArray, 'buffer');
const offsetOf = getterOf(typedArray, 'byteOffset');

// What is made of bytes; its constructor is Buffer, and so is its prototype's owner.
class FastBuffer extends Uint8Array {
  constructor(bufferOrLength, byteOffset, length) { super(bufferOrLength, byteOffset, length); }
}

// The bytes of an array of any type, which Buffer.from() of Node 4 does not make of their memory.
function bufferOver(array) { return new FastBuffer(array.buffer, array.byteOffset, array.byteLength); }

// ---- texts -----------------------------------------------------------------------------------------------------------------------

// The name of an encoding as an error tells it.
function shown(encoding) {
  if (atLeast(12)) return encoding;
  const text = `${encoding}`;
  if (!atLeast(8)) return text.toLowerCase();
  return text.length >= 4 && text.length <= 6 ? text.toLowerCase() : text;
}

function codecOrThrow(encoding) {
  const codec = codecOf(encoding);
  if (codec === undefined) throw unknownEncoding(shown(encoding));
  return codec;
}

// The first and the last byte that toString() takes; nothing: there is none.
function rangeOfText(length, start, end) {
  if (atLeast(11)) {
    if (start <= 0) start = 0;
    else if (start >= length) return undefined;
    else start = atLeast(20) ? trunc(start) || 0 : start | 0;
    if (end === undefined || end > length) end = length;
    else end = atLeast(20) ? trunc(end) || 0 : end | 0;
  } else if (atLeast(8)) {
    if (!start || start < 0) start = 0;
    else if (start >= length) return undefined;
    if (end === undefined || end > length) end = length;
    start |= 0;
    end |= 0;
  } else if (atLeast(6)) {
    if (start === undefined || start < 0) start = 0;
    if (start > length) return undefined;
    if (end === undefined || end > length) end = length;
    if (end <= 0) return undefined;
    end >>>= 0;
    start >>>= 0;
  } else {
    start >>>= 0;
    end = end === undefined || end === Infinity ? length : end >>> 0;
    if (end > length) end = length;
  }
  return end <= start ? undefined : [start, end];
}

function toString(encoding, start, end) {
  const { length } = this;
  if (arguments.length === 0) return codecs.utf8.slice(this, 0, length);
  if (start === undefined && end === undefined) {
    if (length === 0) return '';
    start = 0;
    end = length;
  } else {
    const range = rangeOfText(length, start, end);
    if (range === undefined) return '';
    [start, end] = range;
  }
  if (encoding === undefined || (!atLeast(8) && !encoding)) return codecs.utf8.slice(this, start, end);
  return codecOrThrow(encoding).slice(this, start, end);
}

// Of a text that Node's C++ is to write.
function checkText(text) {
  if (typeof text !== 'string') throw notString();
}

function writeChecked(buffer, text, offset, length, encoding) {
  const codec = !encoding ? codecs.utf8 : codecOrThrow(encoding);
  checkText(text);
  return codec.write(buffer, text, offset, length);
}

// Since 12: what is no index is an error.
function write(string, offset, length, encoding) {
  const size = lengthOf(this);
  if (offset === undefined) return writeChecked(this, string, 0, size);
  if (length === undefined && typeof offset === 'string') return writeChecked(this, string, 0, size, offset);
  checkIndex(offset, 'offset', size);
  if (typeof length === 'string') {
    encoding = length;
    length = undefined;
  }
  if (length !== undefined) checkIndex(length, 'length', size);
  return writeChecked(this, string, offset, length === undefined ? size - offset : length, encoding);
}

let isLegacyWriteTold = false;

// Node 4 has no warnings yet: it prints.
function tellDeprecation(message) {
  if (!native.process.noDeprecation) native.print(`(node) ${message}`, true);
}

function writeOld(string, offset, length, encoding) {
  const size = this.length;
  if (string === undefined || string === null) throw atLeast(8) ? notString() : cannotRead(string, 'length');
  if (offset === undefined) {
    encoding = 'utf8';
    length = size;
    offset = 0;
  } else if (length === undefined && typeof offset === 'string') {
    encoding = offset;
    length = size;
    offset = 0;
  } else if (isFinite(offset)) {
    offset = offset >>> 0;
    if (isFinite(length)) {
      length = length >>> 0;
    } else {
      encoding = length;
      length = undefined;
    }
  } else if (atLeast(6)) {
    const words = 'Buffer.write(string, encoding, offset[, length]) is no longer supported';
    throw atLeast(10) ? makeNodeError(Error, 'ERR_NO_LONGER_SUPPORTED', words) : new Error(words);
  } else {
    if (!isLegacyWriteTold) {
      tellDeprecation('Buffer.write(string, encoding, offset, length) is deprecated. ' +
                      'Use write(string[, offset[, length]][, encoding]) instead.');
    }
    isLegacyWriteTold = true;
    [encoding, offset, length] = [offset, length >>> 0, encoding];
  }
  const remaining = size - offset;
  if (length === undefined || length > remaining) length = remaining;
  if (string.length > 0 && (length < 0 || offset < 0)) {
    if (atLeast(10)) throw outOfBounds();
    throw new RangeError(`${atLeast(6) ? 'A' : 'a'}ttempt to write outside buffer bounds`);
  }
  return writeChecked(this, string, offset, length, encoding);
}

// utf8Slice, utf8Write ...: an index as C++ takes it.
function indexOfNative(value, otherwise, words) {
  if (value === undefined) return otherwise;
  const index = trunc(+value) || 0;
  if (index >= 0) return index;
  if (!atLeast(10)) throw new RangeError(words);
  throw makeError('RangeError', 'Index out of range', atLeast(11) ? 'ERR_OUT_OF_RANGE' : 'ERR_INDEX_OUT_OF_RANGE', false);
}

function sliceOf(codec) {
  return function (start, end) {
    const length = lengthOf(this);
    end = indexOfNative(end, length, 'out of range index');
    start = Math.min(indexOfNative(start, 0, 'out of range index'), end);
    if (end > length) indexOfNative(-1, 0, 'out of range index');
    return start === end ? '' : codec.slice(this, start, end);
  };
}

function writeOf(codec) {
  return function (string, offset, length) {
    checkText(string);
    const size = lengthOf(this);
    offset = indexOfNative(offset, 0, 'out of range index');
    if (offset > size) {
      throw atLeast(10) ? makeError('RangeError', '"offset" is outside of buffer bounds', 'ERR_BUFFER_OUT_OF_BOUNDS', false) :
        new RangeError('Offset is out of bounds');
    }
    length = indexOfNative(length, size - offset, 'out of range index');
    return length === 0 ? 0 : codec.write(this, string, offset, Math.min(length, size - offset));
  };
}

const names = ['ascii', 'base64', 'base64url', 'latin1', 'hex', 'ucs2', 'utf8'];
const textMethods = ['Slice', 'Write'].flatMap((verb) => names.map((name) => {
  return [`${name}${verb}`, verb === 'Slice' ? sliceOf(codecs[name]) : writeOf(codecs[name])];
}));

// Of a version: [key, function, its name, its length].
function methodsOfTexts(line) {
  return textMethods.filter(([key]) => line >= 14 || !key.startsWith('base64url')).map(([key, fn]) => {
    if (line < 6) key = key.replace('latin1', 'binary');
    if (line >= 24) return [key, fn, '', key.endsWith('Slice') ? 2 : 3];
    return [key, fn, key, line >= 22 && /^(?:ascii|latin1|utf8)Write$/.test(key) ? 1 : 0];
  });
}

// ---- parts --------------------------------------------------------------------------------------------------------------------

function adjust(offset, length) {
  offset = trunc(offset) || 0;
  return offset < 0 ? Math.max(offset + length, 0) : Math.min(offset, length);
}

function subarray(start, end) {
  const length = lengthOf(this);
  start = adjust(start, length);
  end = end === undefined ? length : adjust(end, length);
  return new FastBuffer(bufferOf(this), offsetOf(this) + start, end > start ? end - start : 0);
}

// Of a program that has replaced subarray(), too.
function slice(start, end) { return this.subarray(start, end); }

function sliceOld(start, end) {
  const length = lengthOf(this);
  const from = adjust(start, length);
  return new FastBuffer(bufferOf(this), offsetOf(this) + from, Math.max((end === undefined ? length : adjust(end, length)) - from, 0));
}

function toJSON() {
  return { type: 'Buffer', data: arraySlice(this) };
}

// ---- how it is shown ------------------------------------------------------------------------------------------------------------

// The members that are no bytes, as inspect() shows them behind the bytes.
function extrasOf(buffer, context) {
  const extras = { __proto__: null };
  let isSome = false;
  for (const key of Reflect.ownKeys(buffer)) {
    if (typeof key === 'string' && /^(?:0|[1-9]\d*)$/.test(key)) continue;
    if (!context.showHidden && !Object.getOwnPropertyDescriptor(buffer, key).enumerable) continue;
    isSome = true;
    extras[key] = buffer[key];
  }
  if (!isSome) return '';
  // "[Object: null prototype] {" before, " }" behind
  return inspectValue(extras, { ...context, breakLength: Infinity, compact: true }).slice(27, -2);
}

function nameOf(buffer) {
  if (!atLeast(22)) return buffer.constructor.name;
  try {
    const { constructor } = buffer;
    if (typeof constructor === 'function' && Object.hasOwn(constructor, 'name')) return constructor.name;
  } catch { /* the program's own */ }
  return 'Buffer';
}

// `most`: how many bytes are shown, buffer.INSPECT_MAX_BYTES.
function inspectBuffer(buffer, context, most) {
  const length = buffer.length;
  let hex;
  if (atLeast(11)) hex = textMethods[4][1].call(buffer, 0, Math.min(most, length));
  else hex = buffer.toString('hex', 0, most);
  let text = atLeast(6) ? hex.replace(/(.{2})/g, '$1 ').trim() : length > 0 ? hex.match(/.{2}/g).join(' ') : '';
  if (length > most) text += atLeast(11) ? ` ... ${length - most} more byte${length - most > 1 ? 's' : ''}` : ' ... ';
  const extras = context && atLeast(11) ? extrasOf(buffer, context) : '';
  if (extras !== '') text += length !== 0 || !atLeast(12) ? `, ${extras}` : extras;
  return `<${nameOf(buffer)} ${text}>`;
}

module.exports = {
  bufferOver, codecOrThrow, FastBuffer, inspectBuffer, methodsOfTexts, slice, sliceOld, subarray, tellDeprecation, toJSON, toString, write,
  writeOld,
};
