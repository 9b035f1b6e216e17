// Stands for test/common of Node's repository: what the tests there call, as its README describes it. Written anew, for
// programs that run without a file system, child processes and the like.
'use strict';

const assert = require('assert');
const { inspect } = require('util');

// ---- calls that must happen, or must not --------------------------------------------------------------------------------

const expectedCalls = [];

function placeOf(error) { return error.stack.split('\n').slice(1).join('\n'); }

function checkCalls(code) {
  if (code !== 0) return;
  const failed = expectedCalls.filter(({ isMinimum, wanted, count }) => (isMinimum ? count < wanted : count !== wanted));
  for (const { name, wanted, count, isMinimum, place } of failed) {
    console.log(`${name} was called ${count} times, not ${isMinimum ? 'at least ' : ''}${wanted} times\n${placeOf(place)}`);
  }
  if (failed.length) process.exit(1);
}

function counted(fn, wanted, isMinimum) {
  if (typeof fn === 'number') {
    wanted = fn;
    fn = () => {};
  } else if (fn === undefined) {
    fn = () => {};
  }
  if (wanted === undefined) wanted = 1;
  if (expectedCalls.length === 0) process.on('exit', checkCalls);
  const call = { name: fn.name || '<anonymous>', wanted, isMinimum, count: 0, place: new Error('expected here') };
  expectedCalls.push(call);
  const wrapper = function (...args) {
    call.count++;
    return fn.apply(this, args);
  };
  Object.defineProperties(wrapper, {
    name: { value: fn.name, writable: false, enumerable: false, configurable: true },
    length: { value: fn.length, writable: false, enumerable: false, configurable: true },
  });
  return wrapper;
}

function mustCall(fn, exact) { return counted(fn, exact, false); }
function mustCallAtLeast(fn, minimum) { return counted(fn, minimum, true); }

function mustSucceed(fn, exact) {
  return mustCall(function (error, ...args) {
    assert.ifError(error);
    return typeof fn === 'function' ? fn.apply(this, args) : undefined;
  }, exact);
}

function mustNotCall(message) {
  const place = new Error(message || 'must not be called');
  return function mustNotCall(...args) {
    const given = args.length ? `; it got ${args.map((arg) => inspect(arg)).join(', ')}` : '';
    assert.fail(`${message || 'a function that must not be called was called'}${given}, made${placeOf(place)}`);
  };
}

function mustNotMutateObjectDeep(original) {
  if (original === null || typeof original !== 'object') return original;
  const refuse = () => { throw new assert.AssertionError({ message: 'an object was changed that must not be' }); };
  return new Proxy(original, {
    get: (target, key) => mustNotMutateObjectDeep(Reflect.get(target, key)),
    set: refuse, defineProperty: refuse, deleteProperty: refuse, setPrototypeOf: refuse, preventExtensions: refuse,
  });
}

// ---- errors and warnings ------------------------------------------------------------------------------------------------

function expectsError(validator, exact) {
  return mustCall((...args) => {
    assert.strictEqual(args.length, 1, `one argument is expected, not ${inspect(args)}`);
    const error = args[0];
    assert.strictEqual(Object.prototype.propertyIsEnumerable.call(error, 'message'), false);
    assert.throws(() => { throw error; }, validator);
    return true;
  }, exact);
}

let expectedWarnings;

// expectWarning(name, text | [text, code] | [[text, code]...], code), or an object of such by name
function expectWarning(nameOrMap, expected, code) {
  if (expectedWarnings === undefined) {
    expectedWarnings = {};
    process.on('warning', (warning) => {
      const check = expectedWarnings[warning.name];
      assert.ok(check, `unexpected warning ${warning.name}: ${warning.message}`);
      check(warning);
    });
  }
  if (typeof nameOrMap === 'string') {
    expectedWarnings[nameOrMap] = warningCheck(nameOrMap, expected, code);
  } else {
    for (const [name, value] of Object.entries(nameOrMap)) expectedWarnings[name] = warningCheck(name, value);
  }
}

// The pairs of message and code that warnings of a name have, one after the other.
function pairsOf(expected, code) {
  if (typeof expected === 'string') return [[expected, code]];
  if (!Array.isArray(expected)) return Object.entries(expected).map(([key, message]) => [message, key]);
  return expected.length === 0 || Array.isArray(expected[0]) ? [...expected] : [expected.slice(0, 2)];
}

function warningCheck(name, expected, code) {
  const pairs = pairsOf(expected, code);
  if (name === 'DeprecationWarning') {
    for (const [message, itsCode] of pairs) assert.ok(itsCode, `a deprecation has a code: ${message}`);
  }
  return mustCall((warning) => {
    assert.ok(pairs.length, `one warning too many: ${warning}`);
    const [message, itsCode] = pairs.shift();
    assert.strictEqual(warning.name, name);
    if (typeof message === 'string') assert.strictEqual(warning.message, message);
    else assert.match(warning.message, message);
    assert.strictEqual(warning.code, itsCode);
  }, pairs.length);
}

// What follows "must be ..." in the message of ERR_INVALID_ARG_TYPE.
function invalidArgTypeHelper(input) {
  if (input == null) return ` Received ${input}`;
  if (typeof input === 'function') return ` Received function ${input.name}`;
  if (typeof input === 'object') {
    return input.constructor && input.constructor.name ? ` Received an instance of ${input.constructor.name}` :
      ` Received ${inspect(input, { depth: -1 })}`;
  }
  let text = inspect(input, { colors: false });
  if (text.length > 28) text = `${text.slice(0, 25)}...`;
  return ` Received type ${typeof input} (${text})`;
}

// ---- what the machine has -----------------------------------------------------------------------------------------------

function skip(message) {
  console.log(`1..0 # Skipped: ${message}`);
  process.exit(0);
}

function platformTimeout(ms) { return ms; }

function getArrayBufferViews(buffer) {
  const { buffer: all, byteOffset, byteLength } = buffer;
  return [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array,
          BigInt64Array, BigUint64Array, DataView]
    .filter((View) => byteLength % (View.BYTES_PER_ELEMENT || 1) === 0)
    .map((View) => new View(all, byteOffset, byteLength / (View.BYTES_PER_ELEMENT || 1)));
}

module.exports = {
  allowGlobals() {},
  buildType: 'Release',
  canCreateSymLink: () => true,
  defaultAutoSelectFamilyAttemptTimeout: 2500,
  enoughTestMem: true,
  expectsError,
  expectWarning,
  getArrayBufferViews,
  getBufferSources: (buffer) => [...getArrayBufferViews(buffer), new Uint8Array(buffer).buffer],
  getTTYfd: () => -1,
  hasCrypto: Boolean(process.versions.openssl),
  hasFullICU: false,
  hasInspector: false,
  hasIntl: typeof Intl === 'object',
  hasIPv6: false,
  hasQuic: false,
  hasSQLite: false,
  inFreeBSDJail: false,
  invalidArgTypeHelper,
  isAIX: false,
  isASan: false,
  isAlive: () => false,
  isDebug: false,
  isDumbTerminal: true,
  isFreeBSD: false,
  isIBMi: false,
  isInsideDirWithUnusualChars: false,
  isLinux: true,
  isMacOS: false,
  isMainThread: true,
  isOpenBSD: false,
  isPi: () => false,
  isSunOS: false,
  isWindows: false,
  localhostIPv4: '127.0.0.1',
  mustCall,
  mustCallAtLeast,
  mustNotCall,
  mustNotMutateObjectDeep,
  mustSucceed,
  PIPE: '/tmp/node-tests.sock',
  platformTimeout,
  PORT: 12346,
  printSkipMessage(message) { console.log(`1..0 # Skipped: ${message}`); },
  skip,
  skipIf32Bits() {},
  skipIfEslintMissing() { skip('missing ESLint'); },
  skipIfInspectorDisabled() { skip('V8 inspector is disabled'); },
  skipIfSQLiteMissing() { skip('missing SQLite'); },
  usesSharedLibrary: false,
};
