// util (lib/util.js, lib/internal/util.js).
'use strict';

const native = internalBinding;
const timers = require('timers');
const timersPromises = require('timers/promises');
const { inspect, format, formatWithOptions, stripVTControlCharacters } = require('internal/inspect');
const { makeNodeError, checkFunction, received } = require('internal/errors');
const { TextEncoder, TextDecoder } = require('internal/encoding');
const { coerceDelay } = require('internal/timers');
const types = require('internal/types');
const { atLeast } = require('internal/version');

const customPromisify = Symbol.for('nodejs.util.promisify.custom');
const customPromisifyArgs = Symbol('customPromisifyArgs');

// ---- functions of callbacks, and of promises ------------------------------------------------------------------------------

// Before 14 they have no options.
function timeoutPromised(after, value) { return new Promise((resolve) => native.setTimeout(resolve, coerceDelay(after), value)); }
function immediatePromised(value) { return new Promise((resolve) => native.setImmediate(resolve, value)); }

function promisify(original) {
  checkFunction(original, 'original');
  if (original === timers.setTimeout) return atLeast(14) ? timersPromises.setTimeout : timeoutPromised;
  if (original === timers.setImmediate) return atLeast(14) ? timersPromises.setImmediate : immediatePromised;
  const custom = original[customPromisify];
  if (custom) {
    checkFunction(custom, 'util.promisify.custom');
    return Object.defineProperty(custom, customPromisify,
                                 { value: custom, enumerable: false, writable: false, configurable: true });
  }
  const names = original[customPromisifyArgs];
  function fn(...args) {
    return new Promise((resolve, reject) => {
      Reflect.apply(original, this, [...args, (error, ...values) => {
        if (error) return reject(error);
        if (names !== undefined && values.length > 1) {
          const result = {};
          for (let i = 0; i < names.length; i++) result[names[i]] = values[i];
          resolve(result);
        } else {
          resolve(values[0]);
        }
      }]);
    });
  }
  Object.setPrototypeOf(fn, Object.getPrototypeOf(original));
  Object.defineProperty(fn, customPromisify, { value: fn, enumerable: false, writable: false, configurable: true });
  const own = Object.getOwnPropertyDescriptors(original);
  for (const key of Reflect.ownKeys(own)) {
    try {
      Object.defineProperty(fn, key, own[key]);
    } catch {  // what a function of ours may not have
    }
  }
  return fn;
}
promisify.custom = customPromisify;

function callbackify(original) {
  checkFunction(original, 'original');
  function callbackified(...args) {
    const callback = args.pop();
    checkFunction(callback, 'last argument');
    const { nextTick } = require('process');
    const done = callback.bind(this);
    Reflect.apply(original, this, args).then(
      (value) => nextTick(done, null, value),
      (reason) => nextTick((error) => {
        if (!error) {
          const wrapped = makeNodeError(Error, 'ERR_FALSY_VALUE_REJECTION', 'Promise was rejected with falsy value');
          wrapped.reason = error;
          error = wrapped;
        }
        return done(error);
      }, reason));
  }
  const own = Object.getOwnPropertyDescriptors(original);
  if (typeof own.length?.value === 'number') own.length.value++;
  if (typeof own.name?.value === 'string') own.name.value += 'Callbackified';
  for (const key of Reflect.ownKeys(own)) if (own[key].configurable) Object.defineProperty(callbackified, key, own[key]);
  return callbackified;
}

// ---- classes and functions of old -----------------------------------------------------------------------------------------

function inherits(constructor, parent) {
  checkFunction(constructor, 'ctor');
  checkFunction(parent, 'superCtor');
  if (parent.prototype === undefined) {
    throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE',
                        `The "superCtor.prototype" property must be of type object.${received(parent.prototype)}`);
  }
  Object.defineProperty(constructor, 'super_', { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(constructor.prototype, parent.prototype);
}

const warned = new Set();
function deprecate(fn, message, code) {
  if (require('process').noDeprecation === true) return fn;
  let isWarned = false;
  function deprecated(...args) {
    if (!isWarned) {
      isWarned = true;
      if (code === undefined || !warned.has(code)) {
        if (code !== undefined) warned.add(code);
        require('process').emitWarning(message, 'DeprecationWarning', code, deprecated);
      }
    }
    return new.target ? Reflect.construct(fn, args, new.target) : Reflect.apply(fn, this, args);
  }
  Object.setPrototypeOf(deprecated, fn);
  if (fn.prototype) deprecated.prototype = fn.prototype;
  return deprecated;
}

// Prints where NODE_DEBUG of the environment names the section.
function debuglog(section, callback) {
  section = String(section).toUpperCase();
  const isOn = () => {
    const pattern = String(require('process').env.NODE_DEBUG ?? '').replace(/[|\\{}()[\]^$+?.]/g, '\\$&').replaceAll('*', '.*')
      .replaceAll(',', '$|^');
    return pattern !== '' && new RegExp(`^${pattern}$`, 'i').test(section);
  };
  function log(...args) {
    if (typeof callback === 'function') { callback(log); callback = undefined; }
    if (isOn()) native.print(`${section} ${require('process').pid}: ${format(...args)}`, true);
  }
  Object.defineProperty(log, 'enabled', { get: isOn, configurable: true, enumerable: true });
  return log;
}

// ---- texts ----------------------------------------------------------------------------------------------------------------

// Its stream is no terminal: then the text stays as it is, unless the program wants no such check.
function styleText(styles, text, options) {
  if (typeof text !== 'string') {
    throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE', `The "text" argument must be of type string.${received(text)}`);
  }
  let before = '';
  let after = '';
  for (const style of Array.isArray(styles) ? styles : [styles]) {
    const codes = inspect.colors[style];
    if (codes === undefined) {
      const names = Object.keys(inspect.colors).map((name) => `'${name}'`).join(', ');
      throw makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE',
                          `The argument 'format' must be one of: ${names}. Received ${inspect(style)}`);
    }
    before += `\u001b[${codes[0]}m`;
    after = `\u001b[${codes[1]}m${after}`;
  }
  return options?.validateStream === false ? before + text + after : text;
}

function toUSVString(text) { return String(text).toWellFormed(); }

function aborted(signal) {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

// Deprecated with a warning since Node 22.
let isArrayDeprecated = false;
function isArray(value) {
  if (!isArrayDeprecated && native.facts.major >= 22) {
    isArrayDeprecated = true;
    require('process').emitWarning('The `util.isArray` API is deprecated. Please use `Array.isArray()` instead.',
                                   'DeprecationWarning', 'DEP0044');
  }
  return Array.isArray(value);
}

const isObject = (value) => value !== null && typeof value === 'object';

module.exports = {
  _extend(target, source) { return isObject(source) ? Object.assign(target, source) : target; },
  aborted,
  callbackify,
  debug: debuglog,
  debuglog,
  deprecate,
  format,
  formatWithOptions,
  inherits,
  inspect,
  isArray,
  isBoolean: (value) => typeof value === 'boolean',
  isBuffer: (value) => require('buffer').Buffer.isBuffer(value),
  isDate: types.isDate,
  isDeepStrictEqual(a, b) { return require('vendor/assert').comparisons.isDeepStrictEqual(a, b); },
  isError: (value) => types.isNativeError(value) || value instanceof Error,
  isFunction: (value) => typeof value === 'function',
  isNull: (value) => value === null,
  isNullOrUndefined: (value) => value === null || value === undefined,
  isNumber: (value) => typeof value === 'number',
  isObject,
  isPrimitive: (value) => value === null || (typeof value !== 'object' && typeof value !== 'function'),
  isRegExp: types.isRegExp,
  isString: (value) => typeof value === 'string',
  isSymbol: (value) => typeof value === 'symbol',
  isUndefined: (value) => value === undefined,
  log(...args) {
    const time = new Date();
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map((value) => String(value).padStart(2, '0'));
    native.print(`${time.getDate()} ${months[time.getMonth()]} ${clock.join(':')} - ${format(...args)}`, false);
  },
  promisify,
  stripVTControlCharacters,
  styleText,
  TextDecoder,
  TextEncoder,
  toUSVString,
  types,
};
