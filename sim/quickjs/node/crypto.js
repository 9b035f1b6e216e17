// crypto (lib/crypto.js, lib/internal/crypto): hashes, keys derived from passwords, and randomness, which comes from the
// run's seed. What needs OpenSSL's ciphers and keys is not there.
'use strict';

const native = internalBinding;
const { Buffer } = require('buffer');
const { bufferOver } = require('internal/buffer_methods');
const vendor = require('vendor/hashes');
const { makeNodeError } = require('internal/errors');
const { streams } = require('internal/stream_classes');
const { invalidArgType, outOfRange, validateFunction, validateInteger, validateNumber, validateString } = require('internal/validate');
const { atLeast } = require('internal/version');
const { subtle, tellOfModule, webcrypto } = require('internal/webcrypto');
const { kCpu, givenTime, measuredTime, request, runSync, start } = require('internal/work');

const crypto = module.exports;
const functionToString = Function.prototype.toString;
const { apply } = Reflect;

// ---- what it takes ----------------------------------------------------------------------------------------------------------

// Measured with OpenSSL 3 on x86-64: nanoseconds of an iteration of PBKDF2, by the digest; of scrypt, by N * r * p.
const kIteration = { md5: 420, sha1: 260, sha224: 250, sha256: 250, sha384: 650, sha512: 650 };
const kScrypt = 720;

function timeOf(word, measured = 0) { return givenTime(`crypto.${word}`) ?? measuredTime(measured); }

// Whether a callback can see its second argument: a key that nobody sees need not be computed.
function sees(callback) {
  if (callback.length > 1) return true;
  const text = apply(functionToString, callback, []);
  return text.includes('[native code]') || /\barguments\b|\.\.\./.test(text);
}

function* single(word, time, work) { return yield request(word, time, work); }

// ---- bytes ------------------------------------------------------------------------------------------------------------------

function view(data) {
  return data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function isBytes(data) { return ArrayBuffer.isView(data) || data instanceof ArrayBuffer; }

function bytesOf(data, encoding, name, kinds) {
  if (typeof data === 'string') return view(Buffer.from(data, encoding === 'buffer' ? 'utf8' : encoding));
  if (isBytes(data)) return view(data);
  throw invalidArgType(name, kinds, data);
}

const kData = ['string', 'Buffer', 'TypedArray', 'DataView'];
const kSecret = ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

function encoded(bytes, encoding) {
  const buffer = bufferOver(bytes);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
}

// ---- hashes -----------------------------------------------------------------------------------------------------------------

// OpenSSL's names: [name, that of the package]
const digests = [
  ['RSA-MD5', 'md5'], ['RSA-RIPEMD160', 'ripemd160'], ['RSA-SHA1', 'sha1'], ['RSA-SHA1-2', 'sha1'], ['RSA-SHA224', 'sha224'],
  ['RSA-SHA256', 'sha256'], ['RSA-SHA3-224', 'sha3_224'], ['RSA-SHA3-256', 'sha3_256'], ['RSA-SHA3-384', 'sha3_384'],
  ['RSA-SHA3-512', 'sha3_512'], ['RSA-SHA384', 'sha384'], ['RSA-SHA512', 'sha512'], ['RSA-SHA512/224', 'sha512_224'],
  ['RSA-SHA512/256', 'sha512_256'], ['blake2b512', 'blake2b'], ['blake2s256', 'blake2s'], ['md5', 'md5'], ['ripemd', 'ripemd160'],
  ['ripemd160', 'ripemd160'], ['rmd160', 'ripemd160'], ['sha1', 'sha1'], ['sha224', 'sha224'], ['sha256', 'sha256'],
  ['sha3-224', 'sha3_224'], ['sha3-256', 'sha3_256'], ['sha3-384', 'sha3_384'], ['sha3-512', 'sha3_512'], ['sha384', 'sha384'],
  ['sha512', 'sha512'], ['sha512-224', 'sha512_224'], ['sha512-256', 'sha512_256'], ['shake128', 'shake128'], ['shake256', 'shake256'],
];
const byName = new Map(digests.map(([name, own]) => [name.toLowerCase(), own]));
for (const [name, own] of [['sha-1', 'sha1'], ['sha-224', 'sha224'], ['sha-256', 'sha256'], ['sha-384', 'sha384'], ['sha-512', 'sha512'],
                           ['sha2-256', 'sha256'], ['sha2-512', 'sha512']]) byName.set(name, own);

function nameOf(algorithm) { return byName.get(algorithm.toLowerCase()); }
function digestOf(algorithm) { return vendor.hashes[nameOf(algorithm)]; }

function finalized() {
  return makeNodeError(Error, 'ERR_CRYPTO_HASH_FINALIZED', atLeast(6) ? 'Digest already called' : 'Not initialized');
}

const kState = Symbol('kState');
function hold(it, hash, options) {
  if (!areStreams) makeStreams();
  Object.defineProperty(it, kState, { __proto__: null, value: { hash, options, isDone: false, bytes: undefined } });
}
// Once: a stream that has ended has asked for it before digest() does.
function finish(state) { return (state.bytes ??= state.hash.digest()); }

class Hash {
  constructor(algorithm, options = undefined) {
    const isCopy = algorithm !== null && typeof algorithm === 'object' && algorithm[kState] !== undefined;
    if (!isCopy) validateString(algorithm, 'algorithm');
    const length = typeof options === 'object' && options ? options.outputLength : undefined;
    if (length !== undefined) validateInteger(length, 'options.outputLength', 0, 2 ** 32 - 1);
    let hash;
    if (isCopy) {
      hash = algorithm[kState].hash.clone();
    } else {
      const make = digestOf(algorithm);
      if (make === undefined) throw new Error('Digest method not supported');
      hash = length !== undefined && /^shake/i.test(algorithm) ? make.create({ dkLen: length }) : make.create({});
      if (length !== undefined && length !== hash.outputLen) throw new Error('Unsupported state or unable to set the output length');
    }
    hold(this, hash, typeof options === 'object' ? options : undefined);
  }
  copy(options) {
    if (this[kState].isDone) throw finalized();
    return new Hash(this, options);
  }
  update(data, encoding) {
    const state = this[kState];
    if (state.isDone) throw finalized();
    state.hash.update(bytesOf(data, encoding, 'data', kData));
    return this;
  }
  digest(encoding) {
    const state = this[kState];
    if (state.isDone || (state.bytes !== undefined && !atLeast(10))) throw finalized();
    state.isDone = true;
    return encoded(finish(state), encoding);
  }
}

class Hmac {
  constructor(algorithm, key, options = undefined) {
    validateString(algorithm, 'hmac');
    const bytes = bytesOf(key, 'utf8', 'key', atLeast(16) ? [...kSecret, 'KeyObject', 'CryptoKey'] : [...kData, 'KeyObject']);
    const make = digestOf(algorithm);
    if (make === undefined) {
      throw makeNodeError(atLeast(16) ? TypeError : Error, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${algorithm}`);
    }
    hold(this, vendor.hmac.create(make, bytes), options);
  }
  update(data, encoding) {
    const state = this[kState];
    if (state.isDone) throw finalized();
    state.hash.update(bytesOf(data, encoding, 'data', kData));
    return this;
  }
  digest(encoding) {
    const state = this[kState];
    if (state.isDone) return encoded(new Uint8Array(0), encoding);
    state.isDone = true;
    return encoded(finish(state), encoding);
  }
}

// Both are streams (lib/internal/streams/lazy_transform.js): what is written is hashed, and what can be read is the digest. Most are never
// used as one, so the state of a stream is made when something asks for it. Which streams those are depends on the version, which is not
// known before the program starts.
let areStreams = false;
function makeStreams() {
  areStreams = true;
  for (const Kind of [Hash, Hmac]) makeLazyTransform(Kind, streams().Transform);
}

function makeLazyTransform(Kind, Transform) {
  // Between them and Transform.prototype there is one more, as there.
  const lazy = Object.create(Transform.prototype, {
    constructor: { __proto__: null, value: function LazyTransform() {}, writable: true, configurable: true },
  });
  Object.setPrototypeOf(Kind.prototype, lazy);
  Object.setPrototypeOf(Kind, lazy.constructor);
  for (const name of ['_readableState', '_writableState', '_transformState']) {
    Object.defineProperty(lazy, name, {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get() {
        if (this[kState] === undefined) return undefined;  // a prototype
        beginStream(this, Transform);
        return this[name];
      },
      set(value) {
        Object.defineProperty(this, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
  Object.assign(Kind.prototype, {
    _transform(chunk, encoding, callback) {
      this[kState].hash.update(bytesOf(chunk, encoding, 'data', kData));
      callback();
    },
    _flush(callback) {
      this.push(bufferOver(finish(this[kState])));
      callback();
    },
  });
  for (const name of ['_transform', '_flush']) Object.defineProperty(Kind.prototype, name, { __proto__: null, enumerable: false });
}

function beginStream(it, Transform) {
  const { options } = it[kState];
  apply(Transform, it, [options]);
  it._writableState.decodeStrings = false;
  if (!options?.defaultEncoding) it._writableState.defaultEncoding = 'utf8';
}

function hash(algorithm, input, encoding = 'hex') {
  validateString(algorithm, 'algorithm');
  const make = digestOf(algorithm);
  if (make === undefined) throw new Error(`Digest method ${algorithm} is not supported`);
  const bytes = bytesOf(input, 'utf8', 'input', ['string', 'Buffer', 'TypedArray', 'DataView']);
  return encoded(make(bytes), typeof encoding === 'object' ? encoding?.outputEncoding ?? 'hex' : encoding);
}

// ---- randomness ---------------------------------------------------------------------------------------------------------------

function fill(bytes) {
  let word = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (i % 4 === 0) word = native.randomNumber();
    bytes[i] = word & 0xff;
    word >>>= 8;
  }
}

function checkSize(size, most = 2147483647) {
  validateNumber(size, 'size');
  if (Number.isNaN(size) || size < 0 || size > most) throw outOfRange('size', `>= 0 && <= ${most}`, size);
  return size >>> 0;
}

function randomBytes(size, callback) {
  const length = checkSize(size);
  if (callback !== undefined) validateFunction(callback, 'callback');
  const buffer = Buffer.alloc(length);
  if (callback === undefined) {
    runSync(single('randomBytes', timeOf('randomBytes'), () => fill(buffer)), true);
    return buffer;
  }
  if (length === 0 && atLeast(16)) {
    callback(null, buffer);
    return undefined;
  }
  start('crypto', 'randomBytes', single('randomBytes', timeOf('randomBytes'), () => fill(buffer)),
        (error) => { if (error) callback(error); else callback(null, buffer); }, callback, kCpu);
  return undefined;
}

function part(buffer, offset, size) {
  if (!isBytes(buffer)) throw invalidArgType('buf', ['ArrayBuffer', 'ArrayBufferView'], buffer);
  const unit = buffer.BYTES_PER_ELEMENT ?? 1;
  if (offset === undefined) offset = 0;
  validateNumber(offset, 'offset');
  const from = offset * unit;
  if (from > buffer.byteLength || from < 0) throw outOfRange('offset', `>= 0 && <= ${buffer.byteLength}`, from);
  if (size === undefined) size = buffer.byteLength / unit - offset;
  validateNumber(size, 'size');
  const length = size * unit;
  if (from + length > buffer.byteLength) throw outOfRange('size + offset', `<= ${buffer.byteLength}`, from + length);
  return view(buffer).subarray(from, from + length);
}

function randomFillSync(buffer, offset, size) {
  const bytes = part(buffer, offset, size);
  runSync(single('randomFill', timeOf('randomFill'), () => fill(bytes)), true);
  return buffer;
}

function randomFill(buffer, offset, size, callback) {
  if (typeof offset === 'function') [callback, offset, size] = [offset, undefined, undefined];
  else if (typeof size === 'function') [callback, size] = [size, undefined];
  validateFunction(callback, 'callback');
  const bytes = part(buffer, offset, size);
  if (bytes.length === 0 && atLeast(16)) {
    callback(null, buffer);
    return;
  }
  start('crypto', 'randomFill', single('randomFill', timeOf('randomFill'), () => fill(bytes)),
        (error) => { if (error) callback(error); else callback(null, buffer); }, callback, kCpu);
}

const kCached = 1024;  // numbers that are drawn at once
let cached = 0;

function numberBelow(range) {
  // A whole number below 2^48, without a bias.
  const most = 2 ** 48 - (2 ** 48 % range);
  for (;;) {
    const value = native.randomNumber() * 65536 + (native.randomNumber() >>> 16);
    if (value < most) return value % range;
  }
}

function randomInt(min, max, callback) {
  const isOne = max === undefined || typeof max === 'function';
  if (isOne) [callback, max, min] = [max, min, 0];
  const isAsync = callback !== undefined;
  if (isAsync) validateFunction(callback, 'callback');
  if (!Number.isSafeInteger(min)) throw invalidArgTypeOfInteger('min', min);
  if (!Number.isSafeInteger(max)) throw invalidArgTypeOfInteger('max', max);
  if (max <= min) throw outOfRange('max', `greater than the value of "min" (${min})`, max);
  const range = max - min;
  if (range > 2 ** 48 - 1) throw outOfRange(isOne ? 'max' : 'max - min', `<= ${2 ** 48 - 1}`, range);
  const isAtHand = cached > 0 && atLeast(15);
  cached = isAtHand ? cached - 1 : kCached - 1;
  if (!isAsync) return min + numberBelow(range);
  if (isAtHand) {
    require('process').nextTick(callback, undefined, min + numberBelow(range));
    return undefined;
  }
  start('crypto', 'randomInt', single('randomInt', timeOf('randomInt'), () => min + numberBelow(range)),
        (error, value) => callback(error ?? undefined, value), callback, kCpu);
  return undefined;
}

function invalidArgTypeOfInteger(name, value) {
  const error = invalidArgType(name, 'number', value);
  return makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE', error.message.replace('of type number', 'a safe integer'));
}

function randomUUID() {
  const bytes = Buffer.alloc(16);
  fill(bytes);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function randomUUIDv7() {
  const bytes = Buffer.alloc(16);
  fill(bytes);
  bytes.writeUIntBE(Math.floor(native.wallTime()), 0, 6);
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function getRandomValues(array) {
  if (!ArrayBuffer.isView(array) || array instanceof Float32Array || array instanceof Float64Array || array instanceof DataView) {
    const { DOMException } = require('internal/dom_exception');
    throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
  }
  if (array.byteLength > 65536) {
    const { DOMException } = require('internal/dom_exception');
    throw new DOMException(`The requested length exceeds 65,536 bytes`, 'QuotaExceededError');
  }
  fill(view(array));
  return array;
}

// ---- keys from passwords --------------------------------------------------------------------------------------------------------

// Both forms: [time, work]. `isSeen`: the result is needed.
function derivation(word, time, length, compute, isSeen) {
  return single(word, time, () => (isSeen ? bufferOver(compute()) : Buffer.alloc(length)));
}

function pbkdf2Steps(password, salt, iterations, length, digest, isSeen) {
  if (typeof digest !== 'string') throw invalidArgType('digest', 'string', digest);
  const secret = bytesOf(password, 'utf8', 'password', kSecret);
  const seasoning = bytesOf(salt, 'utf8', 'salt', kSecret);
  validateInteger(iterations, 'iterations', 1, 2147483647);
  validateInteger(length, 'keylen', 0, 2147483647);
  const make = digestOf(digest);
  if (make === undefined) throw makeNodeError(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${digest}`);
  const blocks = Math.max(1, Math.ceil(length / make.outputLen));
  const time = timeOf('pbkdf2', iterations * blocks * (kIteration[nameOf(digest)] ?? 650));
  const compute = () => {
    if (length === 0) return new Uint8Array(0);
    const key = native.pbkdf2(nameOf(digest), secret, seasoning, iterations, length);
    return key === undefined ? vendor.pbkdf2(make, secret, seasoning, { c: iterations, dkLen: length }) : new Uint8Array(key);
  };
  return derivation('pbkdf2', time, length, compute, isSeen);
}

function pbkdf2(password, salt, iterations, length, digest, callback) {
  if (typeof digest === 'function') {
    callback = digest;
    digest = atLeast(8) ? undefined : 'sha1';
  }
  const steps = pbkdf2Steps(password, salt, iterations, length, digest, typeof callback === 'function' && sees(callback));
  validateFunction(callback, 'callback');
  const none = atLeast(8) ? null : undefined;
  start('crypto', 'pbkdf2', steps, (error, key) => { if (error) callback(error); else callback(none, key); }, callback, kCpu);
}

function pbkdf2Sync(password, salt, iterations, length, digest) {
  return runSync(pbkdf2Steps(password, salt, iterations, length, digest ?? (atLeast(8) ? undefined : 'sha1'), true), true);
}

function scryptSteps(password, salt, length, options, isSeen) {
  const secret = bytesOf(password, 'utf8', 'password', kSecret);
  const seasoning = bytesOf(salt, 'utf8', 'salt', kSecret);
  validateInteger(length, 'keylen', 0, 2147483647);
  const { cost = 16384, blockSize = 8, parallelization = 1, maxmem = 32 * 2 ** 20 } = options ?? {};
  const { N = cost, r = blockSize, p = parallelization } = options ?? {};
  if (N < 2 || (N & (N - 1)) !== 0 || r < 1 || p < 1 || 128 * N * r > maxmem) {
    const isTooMuch = N >= 2 && (N & (N - 1)) === 0 && 128 * N * r > maxmem;
    throw makeNodeError(RangeError, 'ERR_CRYPTO_INVALID_SCRYPT_PARAMS',
                        isTooMuch && atLeast(18) ? 'Invalid scrypt params: memory limit exceeded' : 'Invalid scrypt params');
  }
  const compute = () => (length === 0 ? new Uint8Array(0) : vendor.scrypt(secret, seasoning, { N, r, p, dkLen: length, maxmem: 2 ** 31 }));
  return derivation('scrypt', timeOf('scrypt', N * r * p * kScrypt), length, compute, isSeen);
}

function scrypt(password, salt, length, options, callback) {
  if (callback === undefined) [callback, options] = [options, undefined];
  const steps = scryptSteps(password, salt, length, options, typeof callback === 'function' && sees(callback));
  validateFunction(callback, 'callback');
  start('crypto', 'scrypt', steps, (error, key) => { if (error) callback(error); else callback(null, key); }, callback, kCpu);
}

function scryptSync(password, salt, length, options) { return runSync(scryptSteps(password, salt, length, options, true), true); }

function hkdfSteps(digest, key, salt, info, length) {
  validateString(digest, 'digest');
  const secret = bytesOf(key, 'utf8', 'ikm', [...kSecret, 'KeyObject', 'CryptoKey']);
  const seasoning = bytesOf(salt, 'utf8', 'salt', kSecret);
  const about = bytesOf(info, 'utf8', 'info', kSecret);
  validateInteger(length, 'length', 0, 2147483647);
  if (about.length > 1024) throw outOfRange('info', 'must not contain more than 1024 bytes', about.length);
  const make = digestOf(digest);
  if (make === undefined) throw makeNodeError(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${digest}`);
  if (length > 255 * make.outputLen) throw makeNodeError(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length');
  return single('hkdf', timeOf('hkdf'), () => {
    const bytes = length === 0 ? new Uint8Array(0) : vendor.hkdf(make, secret, seasoning, about, length);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  });
}

function hkdf(digest, key, salt, info, length, callback) {
  const steps = hkdfSteps(digest, key, salt, info, length);
  validateFunction(callback, 'callback');
  start('crypto', 'hkdf', steps, (error, derived) => { if (error) callback(error); else callback(null, derived); }, callback, kCpu);
}

function hkdfSync(digest, key, salt, info, length) { return runSync(hkdfSteps(digest, key, salt, info, length), true); }

// ---- the rest ---------------------------------------------------------------------------------------------------------------------

function timingSafeEqual(a, b) {
  for (const [value, name] of [[a, 'buf1'], [b, 'buf2']]) {
    if (!isBytes(value)) throw invalidArgType(name, ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], value);
  }
  if (a.byteLength !== b.byteLength) {
    throw makeNodeError(RangeError, 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH', 'Input buffers must have the same byte length');
  }
  const other = view(b);
  return view(a).every((byte, i) => byte === other[i]);
}

function absent(name) {
  return makeNodeError(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
                       `crypto.${name} is not in loopsim, which has hashes, randomness and keys from passwords (docs/javascript.md)`);
}

function Hash_(algorithm, options) { return new Hash(algorithm, options); }
function Hmac_(algorithm, key, options) { return new Hmac(algorithm, key, options); }
Hash_.prototype = Hash.prototype;
Hmac_.prototype = Hmac.prototype;
Object.defineProperty(Hash_, 'name', { __proto__: null, value: 'Hash' });
Object.defineProperty(Hmac_, 'name', { __proto__: null, value: 'Hmac' });

Object.assign(crypto, {
  createHash: (algorithm, options) => new Hash(algorithm, options),
  createHmac: (algorithm, key, options) => new Hmac(algorithm, key, options),
  getCiphers: () => [],
  getCurves: () => [],
  getHashes: () => digests.map(([name]) => name),
  getFips: () => 0,
  hkdf, hkdfSync, hash, pbkdf2, pbkdf2Sync, randomBytes, randomFill, randomFillSync, randomInt, randomUUID, randomUUIDv7, scrypt,
  scryptSync, timingSafeEqual, getRandomValues,
  pseudoRandomBytes: randomBytes, prng: randomBytes, rng: randomBytes,
  Hash: Hash_, Hmac: Hmac_, constants: Object.create(null),
});
for (const name of [
  'argon2', 'argon2Sync', 'checkPrime', 'checkPrimeSync', 'createCipheriv', 'createDecipheriv', 'createDiffieHellman',
  'createDiffieHellmanGroup', 'createECDH', 'createPrivateKey', 'createPublicKey', 'createSecretKey', 'createSign', 'createVerify',
  'diffieHellman', 'generatePrime', 'generatePrimeSync', 'getCipherInfo', 'getDiffieHellman', 'generateKeyPair', 'generateKeyPairSync',
  'generateKey', 'generateKeySync', 'privateDecrypt', 'privateEncrypt', 'publicDecrypt', 'publicEncrypt', 'sign', 'verify',
]) crypto[name] = () => { throw absent(`${name}()`); };

function digestSteps(algorithm, data) {
  const bytes = view(data).slice();
  return single('digest', timeOf('digest'), () => {
    const made = digestOf(algorithm)(bytes);
    return made.buffer.slice(made.byteOffset, made.byteOffset + made.byteLength);
  });
}
tellOfModule({ digestSteps, absent });
for (const [name, value] of [['webcrypto', webcrypto], ['subtle', subtle]]) {
  Object.defineProperty(crypto, name, { __proto__: null, configurable: true, enumerable: true, get: () => value });
}
