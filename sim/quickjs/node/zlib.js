// zlib (lib/zlib.js): gzip, zlib and raw deflate by the package pako, which is zlib in JavaScript.
'use strict';

const { Buffer } = require('buffer');
const { bufferOver } = require('internal/buffer_methods');
const pako = require('vendor/pako');
const { makeNodeError } = require('internal/errors');
const { invalidArgType, outOfRange, validateFunction } = require('internal/validate');
const { streams } = require('internal/stream_classes');
const { kCpu, givenTime, measuredTime, request, runSync, start } = require('internal/work');

const zlib = module.exports;

// Measured with zlib of Node 24 on x86-64, nanoseconds for each byte that is not compressed.
const kDeflateByte = 39;
const kInflateByte = 5;

const constants = Object.assign(Object.create(null), {
  Z_NO_FLUSH: 0, Z_PARTIAL_FLUSH: 1, Z_SYNC_FLUSH: 2, Z_FULL_FLUSH: 3, Z_FINISH: 4, Z_BLOCK: 5, Z_OK: 0, Z_STREAM_END: 1, Z_NEED_DICT: 2,
  Z_ERRNO: -1, Z_STREAM_ERROR: -2, Z_DATA_ERROR: -3, Z_MEM_ERROR: -4, Z_BUF_ERROR: -5, Z_VERSION_ERROR: -6, Z_NO_COMPRESSION: 0,
  Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: -1, Z_FILTERED: 1, Z_HUFFMAN_ONLY: 2, Z_RLE: 3, Z_FIXED: 4,
  Z_DEFAULT_STRATEGY: 0, ZLIB_VERNUM: 4880, DEFLATE: 1, INFLATE: 2, GZIP: 3, GUNZIP: 4, DEFLATERAW: 5, INFLATERAW: 6, UNZIP: 7,
  Z_MIN_WINDOWBITS: 8, Z_MAX_WINDOWBITS: 15, Z_DEFAULT_WINDOWBITS: 15, Z_MIN_CHUNK: 64, Z_MAX_CHUNK: Infinity, Z_DEFAULT_CHUNK: 16384,
  Z_MIN_MEMLEVEL: 1, Z_MAX_MEMLEVEL: 9, Z_DEFAULT_MEMLEVEL: 8, Z_MIN_LEVEL: -1, Z_MAX_LEVEL: 9, Z_DEFAULT_LEVEL: -1,
});

const codes = Object.assign(Object.create(null), {
  Z_OK: 0, Z_STREAM_END: 1, Z_NEED_DICT: 2, Z_ERRNO: -1, Z_STREAM_ERROR: -2, Z_DATA_ERROR: -3, Z_MEM_ERROR: -4, Z_BUF_ERROR: -5,
  Z_VERSION_ERROR: -6, '0': 'Z_OK', '1': 'Z_STREAM_END', '2': 'Z_NEED_DICT', '-1': 'Z_ERRNO', '-2': 'Z_STREAM_ERROR',
  '-3': 'Z_DATA_ERROR', '-4': 'Z_MEM_ERROR', '-5': 'Z_BUF_ERROR', '-6': 'Z_VERSION_ERROR',
});

// [function, class, direction, options of pako]
const kinds = [
  ['deflate', 'Deflate', 'pack', {}],
  ['gzip', 'Gzip', 'pack', { gzip: true }],
  ['deflateRaw', 'DeflateRaw', 'pack', { raw: true }],
  ['unzip', 'Unzip', 'unpack', { windowBits: 47 }],
  ['inflate', 'Inflate', 'unpack', { windowBits: 15 }],
  ['gunzip', 'Gunzip', 'unpack', { windowBits: 31 }],
  ['inflateRaw', 'InflateRaw', 'unpack', { raw: true }],
];

// ---- arguments ----------------------------------------------------------------------------------------------------------------

const ranges = [['chunkSize', 64, Infinity], ['windowBits', 8, 15], ['level', -1, 9], ['memLevel', 1, 9], ['strategy', 0, 4]];

function checkOptions(options, [kind, , direction]) {
  for (const [name, lowest, most] of ranges) {
    const least = name === 'windowBits' && (kind === 'gzip' || kind === 'gunzip') ? 9 : lowest;
    const value = options[name];
    if (value === undefined || value === null || (name === 'windowBits' && value === 0 && direction === 'unpack')) continue;
    if (typeof value !== 'number') throw invalidArgType(`options.${name}`, 'number', value);
    if (!(value >= least && value <= most)) {
      throw outOfRange(`options.${name}`, most === Infinity ? `>= ${least}` : `>= ${least} and <= ${most}`, value);
    }
  }
}

function bytesOf(data) {
  if (typeof data === 'string') return Buffer.from(data);
  if (ArrayBuffer.isView(data)) return bufferOver(data);
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  throw invalidArgType('buffer', ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], data);
}

function zlibError(message, number) {
  const error = new Error(message);
  error.errno = number;
  error.code = codes[number];
  return error;
}

// ---- what is computed -----------------------------------------------------------------------------------------------------------

// pako's machine for a kind; what it makes is collected in `parts`.
function machine([, , direction, fixed], options, parts) {
  const given = { ...fixed, chunkSize: options.chunkSize ?? 16384 };
  for (const name of ['level', 'memLevel', 'strategy', 'dictionary']) if (options[name] != null) given[name] = options[name];
  const { windowBits } = options;
  if (windowBits) given.windowBits = fixed.raw ? -windowBits : windowBits + Math.max(0, (fixed.windowBits ?? 15) - 15);
  const it = direction === 'pack' ? new pako.Deflate(given) : new pako.Inflate(given);
  it.onData = (chunk) => { parts.push(Buffer.from(chunk)); };
  it.onEnd = (status) => { it.err = status; it.msg ||= it.strm.msg; };
  return it;
}

function fail(it) {
  const number = it.err || it.strm.state?.err || -3;
  const message = it.strm.msg || it.msg;
  throw zlibError(number === -5 ? 'unexpected end of file' : message || (number === 2 ? 'Missing dictionary' : 'unknown error'), number);
}

function convert(kind, bytes, options) {
  const parts = [];
  const it = machine(kind, options, parts);
  const isPack = kind[2] === 'pack';
  const ended = it.push(bytes, isPack ? true : options.finishFlush ?? true);
  if (it.err && it.err !== -5) fail(it);
  const isShort = !isPack && !it.ended;
  const { output, next_out: made } = it.strm;
  if (isShort && made > 0) parts.push(Buffer.from(output.subarray(0, made)));
  if ((isShort || !ended) && !isPack && options.finishFlush !== constants.Z_SYNC_FLUSH) {
    throw zlibError('unexpected end of file', constants.Z_BUF_ERROR);
  }
  const result = Buffer.concat(parts);
  if (options.maxOutputLength !== undefined && result.length > options.maxOutputLength) {
    throw makeNodeError(RangeError, 'ERR_BUFFER_TOO_LARGE', `Cannot create a Buffer larger than ${options.maxOutputLength} bytes`);
  }
  return result;
}

function timeOf([name, , direction], input, output) {
  return givenTime(`zlib.${name}`) ?? measuredTime(direction === 'pack' ? input * kDeflateByte : output * kInflateByte);
}

// As many requests as Node makes: one for each chunk of output, and one at the end.
function* steps(kind, bytes, options) {
  const [name] = kind;
  let result;
  let failure;
  try {
    result = convert(kind, bytes, options);
  } catch (error) {
    failure = error;
  }
  const time = timeOf(kind, bytes.length, result?.length ?? 0);
  const chunks = failure ? 1 : Math.floor(result.length / (options.chunkSize ?? 16384)) + 1;
  for (let i = 0; i < chunks; i++) {
    yield request(name, i === 0 ? time : 0, () => { if (failure && failure.errno !== constants.Z_BUF_ERROR) throw failure; });
  }
  yield request(name, 0, () => { if (failure) throw failure; });
  return result;
}

for (const kind of kinds) {
  const [name, className, direction] = kind;
  const convertAsync = function (buffer, options, callback) {
    if (typeof options === 'function') [callback, options] = [options, {}];
    validateFunction(callback, 'callback');
    const bytes = bytesOf(buffer);
    options ??= {};
    checkOptions(options, kind);
    start('zlib', name, steps(kind, bytes, options), (error, result) => { if (error) callback(error); else callback(null, result); },
          callback, kCpu);
  };
  const convertSync = function (buffer, options) {
    const bytes = bytesOf(buffer);
    options ??= {};
    checkOptions(options, kind);
    return runSync(steps(kind, bytes, options), true);
  };
  Object.defineProperty(convertAsync, 'name', { __proto__: null, value: name });
  Object.defineProperty(convertSync, 'name', { __proto__: null, value: `${name}Sync` });
  zlib[name] = convertAsync;
  zlib[`${name}Sync`] = convertSync;
  zlib[`create${className}`] = (options) => new (classes()[className])(options);
  Object.defineProperty(zlib, className, {
    __proto__: null, enumerable: true, configurable: true, get() { return classes()[className]; },
  });
}

// ---- streams: made when the program asks for the first one --------------------------------------------------------------------------

let made;
function classes() {
  if (made) return made;
  const { Transform } = streams();
  made = {};
  for (const kind of kinds) {
    const [name, className, direction] = kind;
    function ZlibStream(options) {
      if (!(this instanceof ZlibStream)) return new ZlibStream(options);
      options ??= {};
      checkOptions(options, kind);
      Transform.call(this, { ...options, objectMode: false, decodeStrings: true });
      const parts = [];
      const state = { parts, it: machine(kind, options, parts), chunkSize: options.chunkSize ?? 16384 };
      Object.defineProperty(this, 'zlibState', { __proto__: null, value: state, configurable: true });
      this.bytesWritten = 0;
      return undefined;
    }
    Object.defineProperty(ZlibStream, 'name', { __proto__: null, value: className });
    Object.setPrototypeOf(ZlibStream.prototype, Transform.prototype);
    Object.setPrototypeOf(ZlibStream, Transform);

    // One request for each chunk of output that is full, and one for the rest.
    const work = function* (stream, bytes, mode) {
      const { it, parts, chunkSize } = stream.zlibState;
      let left;
      let isFirst = true;
      do {
        const time = isFirst ? timeOf(kind, bytes.length, bytes.length) : 0;
        yield request(name, time, () => {
          if (!isFirst) return;
          it.push(bytes, mode);
          if (it.err && it.err !== constants.Z_BUF_ERROR) fail(it);
          if (mode === constants.Z_FINISH && direction === 'unpack' && !it.ended) {
            throw zlibError('unexpected end of file', constants.Z_BUF_ERROR);
          }
          left = Buffer.concat(parts.splice(0));
          stream.bytesWritten += bytes.length;
        });
        isFirst = false;
        const chunk = left.subarray(0, chunkSize);
        left = left.subarray(chunkSize);
        if (chunk.length > 0) stream.push(chunk);
        if (chunk.length < chunkSize) break;
      } while (true);
    };
    const run = function (stream, bytes, mode, callback) {
      start('zlib', name, work(stream, bytes, mode), (error) => {
        if (error) stream.destroy(error);
        else callback();
      }, unnamed, kCpu);
    };
    Object.assign(ZlibStream.prototype, {
      _transform(chunk, encoding, callback) {
        if (direction === 'unpack' && this.zlibState.it.ended) {
          callback();
          return;
        }
        run(this, bufferOver(chunk), constants.Z_NO_FLUSH, callback);
      },
      _flush(callback) {
        if (direction === 'unpack' && (this.zlibState.it.ended || this.bytesWritten === 0)) {
          start('zlib', name, work_(name), () => callback(), unnamed, kCpu);
          return;
        }
        run(this, Buffer.alloc(0), constants.Z_FINISH, callback);
      },
      flush(mode, callback) {
        if (typeof mode === 'function') [callback, mode] = [mode, constants.Z_FULL_FLUSH];
        run(this, Buffer.alloc(0), mode ?? constants.Z_FULL_FLUSH, callback ?? (() => {}));
      },
      close(callback) {
        if (callback) this.once('close', callback);
        this.destroy();
      },
    });
    made[className] = ZlibStream;
  }
  return made;
}
const unnamed = [() => {}][0];
function* work_(name) { yield request(name, 0, () => {}); }

// ---- what there is besides, and what there is not --------------------------------------------------------------------------------

let table;
zlib.crc32 = (data, value = 0) => {
  const bytes = typeof data === 'string' ? Buffer.from(data) : ArrayBuffer.isView(data) ? bytesOf(data) : undefined;
  if (bytes === undefined) throw invalidArgType('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  table ??= Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n >>> 0;
  });
  let crc = ~value;
  for (const byte of bytes) crc = table[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
};

function absent(name) {
  return () => {
    throw makeNodeError(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', `zlib.${name}() is not in loopsim (docs/javascript.md)`);
  };
}
for (const name of ['brotliCompress', 'brotliDecompress', 'zstdCompress', 'zstdDecompress']) {
  zlib[name] = absent(name);
  zlib[`${name}Sync`] = absent(`${name}Sync`);
  const create = `create${name[0].toUpperCase()}${name.slice(1)}`;
  zlib[create] = absent(create);
}

Object.defineProperty(zlib, 'constants', { __proto__: null, configurable: true, enumerable: true, value: constants });
Object.defineProperty(zlib, 'codes', { __proto__: null, enumerable: true, value: Object.freeze(codes) });
for (const [name, value] of Object.entries(constants)) {
  if (name.startsWith('Z_')) Object.defineProperty(zlib, name, { __proto__: null, value, configurable: true, enumerable: false });
}
