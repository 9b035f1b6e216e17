// Timers and immediates (lib/timers.js).
'use strict';

const native = internalBinding;
const { Timeout, coerceDelay, clearTimer } = require('internal/timers');
const { atLeast } = require('internal/version');
const { noteKind } = require('internal/own_places');
const { validateCallback } = require('internal/validate');

const kPromisify = Symbol.for('nodejs.util.promisify.custom');

// Node 4 takes what is no function, and calls it. `caller`: the function that was given it.
function callbackOf(callback, caller, count) {
  if (typeof callback === 'function' || atLeast(6)) {
    validateCallback(callback, caller);
    return callback;
  }
  return () => failedCall(callback, caller, count);
}

function failedCall(callback, caller, count) {
  const isImmediate = caller === 'setImmediate';
  if (count > 0) {
    const message = callback == null ? `Cannot read property 'call' of ${callback}` : 'callback.call is not a function';
    throw noteKind(new TypeError(message), isImmediate ? 'callImmediate' : 'callTimeout');
  }
  if (isImmediate) throw noteKind(new TypeError('immediate._onImmediate is not a function'), 'runImmediate');
  if (callback) throw noteKind(new TypeError('first._onTimeout is not a function'), 'runTimeout');
}

function setTimeout(callback, delay, ...args) {
  callback = callbackOf(callback, 'setTimeout', args.length);
  return native.setTimeout(callback, coerceDelay(delay), ...args);
}

function setInterval(callback, delay, ...args) {
  callback = callbackOf(callback, 'setInterval', args.length);
  return native.setInterval(callback, coerceDelay(delay), ...args);
}

function setImmediate(callback, ...args) {
  callback = callbackOf(callback, 'setImmediate', args.length);
  return native.setImmediate(callback, ...args);
}

function clearTimeout(timer) { clearTimer(timer); }
// Before 10 it clears what has been made by setInterval(), and nothing else.
function clearInterval(timer) {
  if (!atLeast(10)) {
    if (!timer?._repeat) return;
    if (timer instanceof Timeout) timer._repeat = null;
  }
  clearTimer(timer);
}

// Before 24 Node marks what it is given as destroyed, or before 8 as one without a callback, which fails for a primitive value.
function clearImmediate(immediate) {
  if (native.clear(immediate, true) || !immediate || atLeast(24) || Object(immediate) === immediate) return;
  const name = atLeast(8) ? '_destroyed' : '_onImmediate';
  const message = atLeast(6) ? `Cannot create property '${name}' on ${typeof immediate} '${String(immediate)}'` :
    `Cannot assign to read only property '${name}' of ${String(immediate)}`;
  throw noteKind(new TypeError(message), 'clearImmediate');
}

for (const [original, name] of [[setTimeout, 'setTimeout'], [setImmediate, 'setImmediate']]) {
  Object.defineProperty(original, kPromisify, {
    __proto__: null,
    enumerable: true,
    configurable: true,
    get() { return require('timers/promises')[name]; },
  });
}

module.exports = {
  setTimeout, clearTimeout, setImmediate, clearImmediate, setInterval, clearInterval,
};
Object.defineProperty(module.exports, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return require('timers/promises'); },
});

// What the version has not, and has in another way.
function restrict() {
  if (!atLeast(20)) delete module.exports.promises;
  const show = (target, key, value) => Object.defineProperty(target, key, { __proto__: null, value, configurable: true });
  if (!atLeast(22)) {
    show(setTimeout, 'length', atLeast(6) ? 5 : 2);
    show(setInterval, 'length', atLeast(6) ? 5 : 2);
    show(setImmediate, 'length', 4);
  }
  if (!atLeast(8)) [setTimeout, setInterval, setImmediate].forEach((original) => show(original, 'name', ''));
}
Object.defineProperty(module.exports, 'restrict', { __proto__: null, value: restrict, configurable: true });
