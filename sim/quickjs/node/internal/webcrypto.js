// The global `crypto` (lib/internal/crypto/webcrypto.js): randomness, and digests by a request to the pool.
'use strict';

const { DOMException } = require('internal/dom_exception');
const { makeNodeError } = require('internal/errors');
const { invalidThis, makeEnumerable, tag } = require('internal/event_target');
const { atLeast } = require('internal/version');
const { kCpu, startPromise } = require('internal/work');

const kIllegal = Symbol('kIllegal');
const kMembers = ['encrypt', 'decrypt', 'sign', 'verify', 'digest', 'generateKey', 'deriveKey', 'deriveBits', 'importKey', 'exportKey',
  'wrapKey', 'unwrapKey'];

function checkIllegal(check) {
  if (check !== kIllegal) throw makeNodeError(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
}

function tooFew(member, of, wanted, given) {
  return makeNodeError(TypeError, 'ERR_MISSING_ARGS', `Failed to execute '${member}' on '${of}': ${wanted} argument${
    wanted > 1 ? 's' : ''} required, but only ${given} present.`);
}

// What the module `crypto` has under its covers: { digestSteps, absent }. It tells when it is loaded.
let own;
function ofModule() {
  require('crypto');
  return own;
}

// The name that the algorithm goes by; of digests, as this has no others.
function nameOf(algorithm) {
  const isObject = typeof algorithm === 'object' && algorithm !== null;
  const name = isObject ? algorithm.name : algorithm;
  if (isObject && name === undefined) {
    throw makeNodeError(TypeError, 'ERR_MISSING_OPTION', `Failed to normalize algorithm: passed algorithm can${
      atLeast(24) ? '' : ' '}not be converted to 'Algorithm' because 'name' is required in 'Algorithm'.`);
  }
  if (!/^sha-(?:1|256|384|512)$/i.test(String(name))) throw new DOMException('Unrecognized algorithm name', 'NotSupportedError');
  return String(name).toLowerCase();
}

class SubtleCrypto {
  constructor(check) { checkIllegal(check); }
  async digest(algorithm, data) {
    if (this !== subtle) throw invalidThis('SubtleCrypto');
    if (arguments.length < 2) throw tooFew('digest', 'SubtleCrypto', 2, arguments.length);
    if (!ArrayBuffer.isView(data) && !(data instanceof ArrayBuffer)) {
      throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE',
                          "Failed to execute 'digest' on 'SubtleCrypto': 2nd argument is not instance of ArrayBuffer, Buffer, " +
                          'TypedArray, or DataView.');
    }
    return startPromise('crypto', 'digest', ofModule().digestSteps(nameOf(algorithm), data), kCpu);
  }
}
for (const name of kMembers) {
  if (name === 'digest') continue;
  const method = { async [name]() { throw ofModule().absent(`subtle.${name}()`); } }[name];
  Object.defineProperty(SubtleCrypto.prototype, name, { __proto__: null, value: method, writable: true, configurable: true });
}
makeEnumerable(SubtleCrypto.prototype, kMembers);
tag(SubtleCrypto.prototype, 'SubtleCrypto');
const subtle = new SubtleCrypto(kIllegal);

class Crypto {
  constructor(check) { checkIllegal(check); }
  get subtle() {
    if (this !== webcrypto) throw invalidThis('Crypto');
    return subtle;
  }
  getRandomValues(array) {
    if (this !== webcrypto) throw invalidThis('Crypto');
    if (arguments.length === 0) throw tooFew('getRandomValues', 'Crypto', 1, 0);
    return require('crypto').getRandomValues(array);
  }
  randomUUID(options) {
    if (this !== webcrypto) throw invalidThis('Crypto');
    return require('crypto').randomUUID(options);
  }
}
makeEnumerable(Crypto.prototype, ['subtle', 'getRandomValues', 'randomUUID']);
tag(Crypto.prototype, 'Crypto');
const webcrypto = new Crypto(kIllegal);

class CryptoKey {
  constructor(check) { checkIllegal(check); }
}
tag(CryptoKey.prototype, 'CryptoKey');

function install() {
  for (const [name, value] of Object.entries({ Crypto, CryptoKey, SubtleCrypto })) {
    Object.defineProperty(globalThis, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  }
  const { get } = Object.getOwnPropertyDescriptor({ get crypto() { return webcrypto; } }, 'crypto');
  Object.defineProperty(globalThis, 'crypto', { __proto__: null, get, enumerable: true, configurable: true });
}

module.exports = { install, subtle, webcrypto, tellOfModule(covered) { own = covered; } };
