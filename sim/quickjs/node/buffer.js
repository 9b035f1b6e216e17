// buffer (lib/buffer.js): what a program sees, in each version of Node with the members that it has.
//
// Buffer is there before any process, as the library has it in variables; adapt() gives it the members of the version.
'use strict';

module.exports.Buffer = Buffer;  // what is required below may require this

const native = internalBinding;
const checks = require('internal/buffer_checks');
const codecs = require('internal/buffer_codecs');
const methods = require('internal/buffer_methods');
const places = require('internal/buffer_places');
const pool = require('internal/buffer_pool');
const { numberMethods } = require('internal/buffer_numbers');
const { makeNodeError } = require('internal/errors');
const { inspect } = require('internal/inspect');
const { invalidArgType, invalidArgValue, outOfRange, validateInteger } = require('internal/validate');
const { atLeast, major } = require('internal/version');

const {
  byteLengthOf, checkNumber, checkSize, isAnyArrayBuffer, isArrayBuffer, isTypedArray, isUint8Array, isView, kBytes, kMaxLength, kMaxString,
  lengthOf, notFirst, outOfBounds, unknownEncoding,
} = checks;
const { bytesOf, codecOf, latin1Slice, set, view } = codecs;
const { FastBuffer } = methods;
const { DOMException } = globalThis;  // also where the program does not see it

// ---- new buffers -----------------------------------------------------------------------------------------------------------------

let isConstructorTold = false;

// Whether the caller is in a package.
function isInPackage() {
  const { builtins } = require('internal/modules');
  if (!Object.keys(builtins.module._cache).some((path) => path.includes('/node_modules/'))) return false;
  const frame = /^ {4}at .*$/m.exec(new Error().stack);
  return frame !== null && frame[0].includes('node_modules/');
}

function tellConstructor() {
  if (isConstructorTold) return;
  if (!atLeast(10) || isInPackage()) return;
  isConstructorTold = true;
  native.process.emitWarning('Buffer() is deprecated due to security and usability issues. Please use the Buffer.alloc(), ' +
                             'Buffer.allocUnsafe(), or Buffer.from() methods instead.', 'DeprecationWarning', 'DEP0005');
}

function Buffer(arg, encodingOrOffset, length) {
  if (!atLeast(6)) return makeOld(arg, encodingOrOffset);
  tellConstructor();
  if (typeof arg !== 'number') return Buffer.from(arg, encodingOrOffset, length);
  if (typeof encodingOrOffset === 'string') {
    if (atLeast(10)) throw invalidArgType('string', 'string', arg);
    throw new Error('If encoding is specified then the first argument must be a string');
  }
  return atLeast(8) ? Buffer.alloc(arg) : Buffer.allocUnsafe(arg);
}

Buffer.prototype = FastBuffer.prototype;
Object.defineProperty(Buffer, 'prototype', { enumerable: false });
Object.setPrototypeOf(Buffer, Uint8Array);
pool.setOwner(Buffer);

// new Buffer() of Node 4.
function makeOld(arg, encoding) {
  if (typeof arg === 'number') return pool.allocate(arg < 0 || Number.isNaN(arg) ? 0 : arg);
  return typeof arg === 'string' ? fromText(arg, encoding) : fromObjectOld(arg);
}

function fromText(text, encoding) {
  const isNamed = typeof encoding === 'string' && encoding !== '';
  if (isNamed && !atLeast(6) && isFinite(encoding)) return fromText(text).slice(0, encoding >>> 0);  // as a length of write()
  const codec = isNamed ? codecOf(encoding) : codecs.codecs.utf8;
  if (codec === undefined) {
    throw atLeast(6) && !atLeast(10) ? new TypeError('"encoding" must be a valid string encoding') :
      unknownEncoding(atLeast(6) ? encoding : encoding.toLowerCase());
  }
  return text === '' ? new FastBuffer() : pool.ofText(text, codec);
}


function fromArrayBuffer(value, byteOffset, length) {
  if (!atLeast(6)) return new FastBuffer(value);
  const fail = (name) => { throw atLeast(10) ? outOfBounds(name) : new RangeError(`'${name}' is out of bounds`); };
  byteOffset = byteOffset === undefined ? 0 : +byteOffset || 0;
  const most = value.byteLength - byteOffset;
  if (most < 0) fail('offset');
  if (byteOffset < 0) {
    throw atLeast(12) ? new RangeError(`Start offset ${byteOffset} is outside the bounds of the buffer`) : checks.badLength(most);
  }
  if (length !== undefined) {
    length = +length;
    if (!(length > 0)) length = 0;
    else if (length > most) fail('length');
  } else if (!atLeast(22)) {
    length = most;
  }
  return new FastBuffer(value, byteOffset, length);
}

function fromArrayLike(value) {
  const { length } = value;
  if (length <= 0) return new FastBuffer();
  if (!pool.isSmall(length)) return atLeast(12) ? new FastBuffer(value) : fillFrom(new FastBuffer(length), value, length);
  const buffer = pool.allocate(length);
  if (atLeast(12) || isUint8Array(value)) set(buffer, value, 0);
  else fillFrom(buffer, value, length);
  return buffer;
}

function fillFrom(buffer, value, length) {
  for (let i = 0; i < length; i++) buffer[i] = value[i];
  return buffer;
}

// undefined: it is nothing that bytes are in.
function fromObject(value) {
  if (value.length !== undefined || isAnyArrayBuffer(value.buffer)) {
    return typeof value.length === 'number' ? fromArrayLike(value) : new FastBuffer();
  }
  return value.type === 'Buffer' && Array.isArray(value.data) ? fromArrayLike(value.data) : undefined;
}

// Until 6.
function fromObjectOld(value) {
  const wrong = () => (atLeast(6) ? notFirst(value) : new TypeError('must start with number, buffer, array or string'));
  if (value instanceof Buffer) return value.length === 0 ? new FastBuffer() : fromArrayLike(value);
  if (value === null || value === undefined) throw wrong();
  if (!atLeast(6) && isArrayBuffer(value)) return fromArrayBuffer(value);
  if (typeof value !== 'object' && typeof value !== 'function') {
    throw new TypeError(`Cannot use 'in' operator to search for 'length' in ${String(value)}`);
  }
  if ('length' in value || isAnyArrayBuffer(value.buffer)) {
    return typeof value.length !== 'number' || Number.isNaN(value.length) ? new FastBuffer() : fromArrayLike(value);
  }
  if (value.type === 'Buffer' && Array.isArray(value.data)) return fromArrayLike(value.data);
  throw wrong();
}

function from(value, encodingOrOffset, length) {
  if (typeof value === 'string') return fromText(value, encodingOrOffset);
  if (!atLeast(12)) return fromOld(value, encodingOrOffset, length);
  if (typeof value === 'object' && value !== null) {
    if (isAnyArrayBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);
    const primitive = value.valueOf && value.valueOf();
    const isOther = primitive !== null && primitive !== undefined && primitive !== value;
    if (isOther && (typeof primitive === 'string' || typeof primitive === 'object')) return from(primitive, encodingOrOffset, length);
    const buffer = fromObject(value);
    if (buffer) return buffer;
    if (typeof value[Symbol.toPrimitive] === 'function') {
      const text = value[Symbol.toPrimitive]('string');
      if (typeof text === 'string') return fromText(text, encodingOrOffset);
    }
  }
  throw notFirst(value);
}

function fromOld(value, encodingOrOffset, length) {
  if (typeof value === 'number') {
    throw atLeast(10) ?
      makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'The "value" argument must not be of type number. Received type number') :
      new TypeError('"value" argument must not be a number');
  }
  if (atLeast(6) && isAnyArrayBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);
  if (!atLeast(8)) return fromObjectOld(value);
  if (value === null || value === undefined) throw notFirst(value);
  const primitive = value.valueOf && value.valueOf();
  if (primitive !== null && primitive !== undefined && primitive !== value) return Buffer.from(primitive, encodingOrOffset, length);
  const buffer = fromObject(value);
  if (buffer) return buffer;
  if (typeof value[Symbol.toPrimitive] === 'function') {
    return Buffer.from(value[Symbol.toPrimitive]('string'), encodingOrOffset, length);
  }
  throw notFirst(value);
}

function copyBytesFrom(view, offset, length) {
  if (!isTypedArray(view)) throw invalidArgType('view', ['TypedArray'], view);
  const count = lengthOf(view);
  if (count === 0) return new FastBuffer();
  if (offset !== undefined) validateInteger(offset, 'offset', 0);
  if (length !== undefined && (offset ?? 0) < count) validateInteger(length, 'length', 0);
  const from = offset ?? 0;
  const end = length === undefined ? count : Math.min(from + length, count);
  if (from >= count || end <= from) return new FastBuffer();
  const unit = byteLengthOf(view) / count;
  return fromArrayLike(codecs.view(view, from * unit, end * unit));
}

const of = (...items) => {
  const buffer = new FastBuffer(items.length);
  for (let i = 0; i < items.length; i++) buffer[i] = items[i];
  return buffer;
};

function alloc(size, fill, encoding) {
  checkSize(size);
  if (fill === undefined || !(size > 0)) return new FastBuffer(size);
  const buffer = new FastBuffer(size);
  if (atLeast(10)) return fill === 0 ? buffer : places.fillWith(buffer, fill, 0, size, encoding);
  if (atLeast(6)) {
    places.fillOld(buffer, fill, typeof encoding === 'string' ? encoding : undefined);
    return buffer;
  }
  if (typeof fill !== 'number' && typeof encoding === 'string') fill = Buffer.from(fill, encoding);
  if (fill === '') return buffer;
  places.repeat(buffer, typeof fill === 'number' ? [fill & 0xff] : bytesOf(`${fill}`, codecs.codecs.utf8), 0, size);
  return buffer;
}

// Since 26 with an address of a multiple of `alignment`, as which any offset of a multiple of it serves here.
function checkAlignment(size, alignment) {
  const kMost = 2 ** 30;
  validateInteger(alignment, 'alignment', 1, kMost);
  if ((alignment & alignment - 1) !== 0) throw invalidArgValue('alignment', alignment, 'must be a power of two');
  const most = kMaxLength() - Math.max(alignment, 8);
  if (size > most) throw outOfRange('size', `<= ${most}`, size);
}
function allocateAligned(size, alignment) {
  if (size <= 0) return new FastBuffer();
  return new FastBuffer(new ArrayBuffer(size + Math.max(alignment, 8)), 0, size);
}

function allocUnsafe(size, alignment) {
  checkSize(size);
  if (alignment === undefined || !atLeast(26)) return pool.allocate(size);
  checkAlignment(size, alignment);
  return allocateAligned(size, alignment);
}

function allocUnsafeSlow(size, alignment) {
  checkSize(size);
  if (alignment === undefined || !atLeast(26)) return new FastBuffer(size);
  checkAlignment(size, alignment);
  return allocateAligned(size, alignment);
}

function SlowBuffer(size) {
  // eslint-disable-next-line eqeqeq
  if (!atLeast(11)) size = +size != size ? 0 : +size;
  else if (!atLeast(12) && typeof size !== 'number') size = +size;
  if (atLeast(8)) checkSize(size);
  return new FastBuffer(size);
}
Object.setPrototypeOf(SlowBuffer, Uint8Array);
Object.setPrototypeOf(SlowBuffer.prototype, Uint8Array.prototype);

// ---- other functions of Buffer -----------------------------------------------------------------------------------------------------

function isBuffer(b) { return b instanceof Buffer; }

function isEncoding(encoding) {
  if (!atLeast(6)) {
    const name = `${encoding}`.toLowerCase();
    return name === 'raw' || codecOf(name) !== undefined;
  }
  if (typeof encoding !== 'string') return false;
  return encoding === '' ? !atLeast(10) : codecOf(encoding) !== undefined;
}

function byteLength(string, encoding) {
  if (typeof string !== 'string') {
    if (!atLeast(6) ? string instanceof Buffer : isView(string) || isAnyArrayBuffer(string)) return string.byteLength;
    if (atLeast(10)) throw invalidArgType('string', ['string', 'Buffer', 'ArrayBuffer'], string);
    if (atLeast(8)) throw new TypeError('"string" must be a string, Buffer, or ArrayBuffer');
    string = `${string}`;
  }
  if (string.length === 0) return 0;
  if (!atLeast(6) && /^raws?$/i.test(encoding)) return string.length;
  const codec = encoding ? codecOf(encoding) : undefined;
  return (codec ?? codecs.codecs.utf8).byteLength(string);
}

function checkList(list) {
  if (Array.isArray(list)) return;
  if (atLeast(11)) throw invalidArgType('list', 'Array', list);
  if (atLeast(10)) throw invalidArgType('list', ['Array', ...kBytes], list);
  throw notList();
}
function notList() {
  if (atLeast(8)) return new TypeError('"list" argument must be an Array of Buffer or Uint8Array instances');
  return new TypeError(atLeast(6) ? '"list" argument must be an Array of Buffers' : 'list argument must be an Array of Buffers.');
}

function checkItem(list, i) {
  if (places.isBytes(list[i])) return;
  if (!atLeast(10)) throw notList();
  throw invalidArgType(`list[${i}]`, atLeast(12) ? kBytes : ['Array', ...kBytes], list[i]);
}

function concat(list, length) {
  checkList(list);
  if (list.length === 0) return new FastBuffer();
  const isGiven = length !== undefined;
  const isStrict = atLeast(24);
  const isNew = atLeast(12);
  if (!isGiven) {
    length = 0;
    for (let i = 0; i < list.length; i++) {
      const part = list[i];
      if (isStrict && !isUint8Array(part)) checkItem(list, i);
      if (part === undefined || part === null) throw checks.cannotRead(part, 'length');
      const count = part.length;
      if (count || !isNew) length += count;
    }
  } else if (isNew) {
    checks.checkIndex(length, 'length');
  } else {
    length = length >>> 0;
    if (!atLeast(8) && length > kMaxLength()) throw checks.badLength(length);
  }
  if (isGiven && isStrict) for (let i = 0; i < list.length; i++) checkItem(list, i);
  const buffer = atLeast(24) ? pool.allocate(length) : Buffer.allocUnsafe(length);
  let at = 0;
  const isChecked = atLeast(6);
  const isAny = atLeast(8);
  for (let i = 0; i < list.length; i++) {
    const part = list[i];
    if (isChecked && !(isAny && isUint8Array(part))) checkItem(list, i);
    const count = part.length;
    if (!isChecked) {
      if (typeof part.copy !== 'function') throw new TypeError('buf.copy is not a function');
      part.copy(buffer, at);
    } else if (at + count <= length) {
      set(buffer, part, at);
    } else if (at < length) {
      set(buffer, view(part, 0, length - at), at);
    }
    at += count;
  }
  if (at < length) places.repeat(buffer, [0], at, length);
  return buffer;
}

// ---- functions of the module ---------------------------------------------------------------------------------------------------------

const kTranscoded = new Set(['utf8', 'utf16le', 'latin1', 'ascii']);

function transcodingError(code, errno) {
  const error = new Error(`Unable to transcode Buffer [${code}]`);
  error.code = code;
  error.errno = errno;
  return error;
}

// A text without what its encoding has not.
function textOf(bytes, codec) {
  const text = codec.slice(bytes, 0, bytes.length);
  if (codec.name === 'ascii') return latin1Slice(bytes, 0, bytes.length).replace(/[\x80-\xff]/g, '\ufffd');
  return codec.name === 'utf16le' ? text.toWellFormed() : text;
}

function transcode(source, fromEncoding, toEncoding) {
  if (!isUint8Array(source)) {
    if (!atLeast(10)) throw new TypeError('"source" argument must be a Buffer or Uint8Array');
    throw invalidArgType('source', kBytes, source);
  }
  if (source.length === 0) return new FastBuffer();
  const [one, other] = [fromEncoding, toEncoding].map((name) => {
    return name === undefined || name === null || name === '' ? codecs.codecs.utf8 : typeof name === 'string' ? codecOf(name) : undefined;
  });
  if (!kTranscoded.has(one?.name) || !kTranscoded.has(other?.name)) throw transcodingError('U_ILLEGAL_ARGUMENT_ERROR', 1);
  const isWrong = one.name === 'utf8' ? other.name === 'utf16le' && !codecs.isWholeUtf8(source) :
    one.name === 'utf16le' && other.name === 'utf8' && one.slice(source, 0, source.length) !== textOf(source, one);
  if (isWrong) throw transcodingError('U_INVALID_CHAR_FOUND', 10);
  let text = textOf(source, one);
  if (one.name === 'ascii' && other.name === 'utf16le' && atLeast(20)) text = latin1Slice(source, 0, source.length);
  if (one === other && one.name === 'utf16le' && source.length % 2 === 1) text += '\ufffd';
  if (other.name === 'latin1') text = text.replace(/[^\x00-\xff]/gu, '?');  // eslint-disable-line no-control-regex
  else if (other.name === 'ascii') text = text.replace(/[^\x00-\x7f]/gu, '?');  // eslint-disable-line no-control-regex
  const bytes = bytesOf(text, other);
  return new FastBuffer(bytes.buffer, bytes.byteOffset, bytes.length);
}

function bytesOfInput(input, isOfUtf8) {
  if (isTypedArray(input)) return view(input, 0, input.byteLength);
  if (isAnyArrayBuffer(input)) return new Uint8Array(input);
  throw invalidArgType('input', isOfUtf8 && !atLeast(20) ? ['TypedArray', 'Buffer'] : ['ArrayBuffer', 'Buffer', 'TypedArray'], input);
}
function isUtf8(input) { return codecs.isWholeUtf8(bytesOfInput(input, true)); }
function isAscii(input) { return codecs.isAscii(bytesOfInput(input, false)); }

function checkInput(count) {
  if (count === 0 && atLeast(16)) throw makeNodeError(TypeError, 'ERR_MISSING_ARGS', 'The "input" argument must be specified');
}
const invalidCharacter = (words = 'Invalid character') => new DOMException(words, 'InvalidCharacterError');

function btoa(input) {
  checkInput(arguments.length);
  const text = `${input}`;
  if (/[^\x00-\xff]/.test(text)) throw invalidCharacter();  // eslint-disable-line no-control-regex
  return codecs.btoa(text);
}

function atob(input) {
  checkInput(arguments.length);
  let text = `${input}`;
  if (atLeast(16)) text = text.replace(/[\t\n\f\r ]/g, '');
  if (atLeast(18)) text = text.length % 4 === 0 ? text.replace(/={1,2}$/, '') : text;
  if ((atLeast(18) ? /[^A-Za-z0-9+/]/ : /[^A-Za-z0-9+/=]/).test(text)) throw invalidCharacter();
  if (text.length % 4 === 1 && atLeast(16)) throw invalidCharacter('The string to be decoded is not correctly encoded.');
  const bytes = bytesOf(text, codecs.codecs.base64);
  return latin1Slice(bytes, 0, bytes.length);
}

// ---- the members of a version ----------------------------------------------------------------------------------------------------------

let inspectMaxBytes = 50;
const exported = module.exports;

function inspectOld() { return methods.inspectBuffer(this, undefined, exported.INSPECT_MAX_BYTES); }
function inspectNew(recurseTimes, context) {
  return methods.inspectBuffer(this, context, atLeast(12) ? inspectMaxBytes : exported.INSPECT_MAX_BYTES);
}

// Which only Buffers have.
const parents = {
  get parent() {
    if (!(this instanceof Buffer)) return undefined;
    return atLeast(6) || (this.byteLength !== 0 && this.byteLength !== this.buffer.byteLength) ? this.buffer : undefined;
  },
  get offset() { return this instanceof Buffer ? this.byteOffset : undefined; },
};

let toldOfGet = false;
let toldOfSet = false;
function deprecatedGet(offset) {
  if (!toldOfGet) methods.tellDeprecation('Buffer.get is deprecated. Use array indexes instead.');
  toldOfGet = true;
  return this[checkOldIndex(this, offset)];
}
function deprecatedSet(offset, v) {
  if (typeof offset === 'object') return set(this, offset, v);  // the library's own, for which it is that of typed arrays
  if (!toldOfSet) methods.tellDeprecation('Buffer.set is deprecated. Use array indexes instead.');
  toldOfSet = true;
  return this[checkOldIndex(this, offset)] = v;
}
function checkOldIndex(buffer, offset) {
  offset = ~~offset;
  if (offset < 0 || offset >= buffer.length) throw new RangeError('index out of range');
  return offset;
}

// The version whose members Buffer has: at first those of 24, which 12 and later have with few differences.
let line = 24;
const isLine = (first) => line >= first;

// A member of the prototype or of Buffer: [key, function, its name, its length].
function staticMembers() {
  const name = (text) => (isLine(10) ? text : '');
  return [
    ['from', from, name('from'), isLine(6) ? 3 : 2],
    ...(isLine(18) ? [['copyBytesFrom', copyBytesFrom, 'copyBytesFrom', 3]] : []),
    ...(isLine(10) ? [['of', of, 'of', 0]] : []),
    ['alloc', alloc, name('alloc'), 3],
    ['allocUnsafe', allocUnsafe, name('allocUnsafe'), isLine(26) ? 2 : 1],
    ['allocUnsafeSlow', allocUnsafeSlow, name('allocUnsafeSlow'), isLine(26) ? 2 : 1],
    ['isBuffer', isBuffer, 'isBuffer', 1],
    ['compare', places.compareBuffers, 'compare', 2],
    ['isEncoding', isEncoding, name('isEncoding'), 1],
    ...(isLine(6) ? [[kIsEncoding(), isEncoding, name('isEncoding'), 1]] : []),
    ['concat', concat, name('concat'), 2],
    ['byteLength', byteLength, 'byteLength', 2],
  ];
}
function kIsEncoding() { return Symbol(isLine(10) ? 'kIsEncodingSymbol' : 'node.isEncoding'); }

function searchMembers() {
  const count = isLine(24) ? 4 : 3;
  const rows = [['indexOf', places.indexOf, 'indexOf', count]];
  if (!isLine(6)) return rows;
  return [...rows, ['lastIndexOf', places.lastIndexOf, 'lastIndexOf', count], ['includes', places.includes, 'includes', count]];
}

function swapMembers() {
  if (!isLine(6)) return [];
  return ['swap16', 'swap32', 'swap64'].map((key) => [key, places[key], key, 0]);
}

function otherMembers() {
  const name = (text) => (isLine(10) ? text : '');
  const shown = ['inspect', isLine(11) ? inspectNew : inspectOld, 'inspect', isLine(11) ? 2 : 0];
  const toText = [methods.toString, name('toString'), isLine(8) ? 3 : 0];
  const parts = isLine(16) ? [['subarray', methods.subarray, 'subarray', 2], ['slice', methods.slice, 'slice', 2]] :
    [['slice', methods.sliceOld, 'slice', 2]];
  const copying = ['copy', places.copy, name('copy') || (isLine(8) ? '' : 'copy'), isLine(8) ? 4 : 0];
  return [
    ...(isLine(8) ? [] : [copying]),
    ['parent', 'parent'], ['offset', 'offset'],
    ...(isLine(8) ? [copying] : []),
    ['toString', ...toText],
    ['equals', places.equals, 'equals', 1],
    shown,
    ['compare', places.compare, 'compare', isLine(6) ? 5 : 1],
    ...searchMembers(),
    ['fill', places.fill, 'fill', isLine(6) ? 4 : 3],
    ...(isLine(6) ? [] : [['get', deprecatedGet, 'deprecated', 0], ['set', deprecatedSet, 'deprecated', 0]]),
    ['write', isLine(12) ? methods.write : methods.writeOld, name('write'), 4],
    ['toJSON', methods.toJSON, name('toJSON'), 0],
    ...parts,
    ...(isLine(10) ? [] : numberMethods(line)),
    ...swapMembers(),
    ...(isLine(8) ? [['toLocaleString', ...toText]] : []),
    ...(isLine(6) ? [[inspect.custom, ...shown.slice(1)]] : []),
  ];
}

const define = (object, key, value, isEnumerable = true) => Object.defineProperty(object, key, {
  __proto__: null, value, writable: true, enumerable: isEnumerable, configurable: true,
});

function fix(fn, key, value) {
  if (fn[key] !== value) Object.defineProperty(fn, key, { __proto__: null, value, configurable: true });
}

function defineAll(object, rows) {
  for (const [key, fn, name, length] of rows) {
    if (typeof fn === 'string') {
      const { get } = Object.getOwnPropertyDescriptor(parents, fn);
      fix(get, 'name', isLine(6) ? 'get' : '');
      Object.defineProperty(object, key, { __proto__: null, get, enumerable: true, configurable: true });
      continue;
    }
    fix(fn, 'name', name);
    fix(fn, 'length', length);
    define(object, key, fn);
  }
}

function clear(object, kept) {
  for (const key of Reflect.ownKeys(object)) if (!kept.includes(key)) delete object[key];
}

function defineMembers() {
  const { prototype } = Buffer;
  clear(Buffer, ['length', 'name', 'prototype']);
  fix(Buffer, 'length', isLine(6) ? 3 : 2);
  Buffer.poolSize = isLine(24) ? 65536 : 8192;
  if (isLine(8)) {
    const { get } = { get() { return FastBuffer; } };
    Object.defineProperty(Buffer, Symbol.species, { __proto__: null, get, enumerable: false, configurable: true });
  }
  defineAll(Buffer, staticMembers());
  clear(prototype, []);
  define(prototype, 'constructor', Buffer, false);
  if (isLine(10)) defineAll(prototype, numberMethods(line));
  defineAll(prototype, methods.methodsOfTexts(line));
  defineAll(prototype, otherMembers());
}

// The same for 12 and later, from what 24 has: the order stays.
function changeMembers() {
  const { prototype } = Buffer;
  Buffer.poolSize = isLine(24) ? 65536 : 8192;
  if (!isLine(18)) delete Buffer.copyBytesFrom;
  if (!isLine(16)) {
    delete prototype.subarray;
    prototype.slice = methods.sliceOld;
    fix(methods.sliceOld, 'name', 'slice');
  }
  if (!isLine(14)) for (const key of ['base64urlSlice', 'base64urlWrite']) delete prototype[key];
  const rows = isLine(24) ? staticMembers() : [...numberMethods(line), ...methods.methodsOfTexts(line), ...searchMembers()];
  for (const [, fn, name, length] of rows) {
    fix(fn, 'name', name);
    fix(fn, 'length', length);
  }
}

// Of the module.
function defineExports() {
  clear(exported, []);
  const constants = {};
  for (const [key, value] of [['MAX_LENGTH', kMaxLength()], ['MAX_STRING_LENGTH', kMaxString()]]) {
    Object.defineProperty(constants, key, { __proto__: null, value, enumerable: true });
  }
  const rows = {
    Buffer,
    SlowBuffer: atLeast(24) ? require('util').deprecate(
      SlowBuffer, 'SlowBuffer() is deprecated. Please use Buffer.allocUnsafeSlow()', 'DEP0030') : SlowBuffer,
    transcode, isUtf8, isAscii, INSPECT_MAX_BYTES: 50, kMaxLength: kMaxLength(), kStringMaxLength: kMaxString(), btoa, atob,
  };
  if (atLeast(24)) fix(rows.SlowBuffer, 'length', 1);
  for (const key of keysOfExports()) {
    if (key === 'constants') {
      Object.defineProperty(exported, key, { __proto__: null, value: constants, enumerable: true });
    } else if (key === 'INSPECT_MAX_BYTES' && atLeast(12)) {
      Object.defineProperty(exported, key, { __proto__: null, ...inspectLimit, enumerable: true, configurable: true });
    } else {
      exported[key] = rows[key];
    }
  }
}

function keysOfExports() {
  if (!atLeast(8)) return ['Buffer', 'SlowBuffer', 'INSPECT_MAX_BYTES', 'kMaxLength'];
  if (!atLeast(10)) return ['Buffer', 'SlowBuffer', 'INSPECT_MAX_BYTES', 'kMaxLength', 'constants', 'kStringMaxLength', 'transcode'];
  if (!atLeast(12)) return ['Buffer', 'SlowBuffer', 'transcode', 'INSPECT_MAX_BYTES', 'kMaxLength', 'kStringMaxLength', 'constants'];
  return [
    'Buffer', ...(atLeast(26) ? [] : ['SlowBuffer']), 'transcode', ...(atLeast(18) ? ['isUtf8', 'isAscii'] : []), 'kMaxLength',
    'kStringMaxLength', ...(atLeast(14) ? ['btoa', 'atob'] : []), 'constants', 'INSPECT_MAX_BYTES',
  ];
}

const inspectLimit = {
  get: { get() { return inspectMaxBytes; } }.get,
  set: { set(value) {
    if (atLeast(20)) {
      checkNumber(value, 'INSPECT_MAX_BYTES');
      if (!(value >= 0)) throw outOfRange('INSPECT_MAX_BYTES', '>= 0', value);
    }
    inspectMaxBytes = value;
  } }.set,
};

function adapt() {
  line = major();
  pool.restart();
  if (isLine(12)) changeMembers();
  else defineMembers();
  for (const key of ['parent', 'offset']) Object.defineProperty(Buffer.prototype, key, { __proto__: null, configurable: false });
  if (!isLine(6)) {
    // Without species subarray() makes plain arrays.
    Object.defineProperty(Buffer, Symbol.species, { __proto__: null, value: Uint8Array, configurable: true });
    define(Buffer.prototype, inspect.custom, inspectOld, false);  // inspect() itself was called by that name
  }
  defineExports();
}

defineMembers();
Object.assign(exported, { Buffer, atob, btoa });
Object.defineProperty(exported, 'adapt', { __proto__: null, value: adapt, configurable: true });  // for internal/start.js
