// Timers and immediates (lib/timers.js).
'use strict';

const native = internalBinding;
const { coerceDelay, clearTimer } = require('internal/timers');
const { atLeast } = require('internal/version');
const { validateCallback } = require('internal/validate');

const kPromisify = Symbol.for('nodejs.util.promisify.custom');

function setTimeout(callback, delay, ...args) {
  validateCallback(callback);
  return native.setTimeout(callback, coerceDelay(delay), ...args);
}

function setInterval(callback, delay, ...args) {
  validateCallback(callback);
  return native.setInterval(callback, coerceDelay(delay), ...args);
}

function setImmediate(callback, ...args) {
  validateCallback(callback);
  return native.setImmediate(callback, ...args);
}

function clearTimeout(timer) { clearTimer(timer); }
function clearInterval(timer) { clearTimer(timer); }
// Before 24 Node marks what it is given as destroyed, which fails for a primitive value.
function clearImmediate(immediate) {
  if (native.clear(immediate, true) || !immediate || atLeast(24) || Object(immediate) === immediate) return;
  throw new TypeError(`Cannot create property '_destroyed' on ${typeof immediate} '${String(immediate)}'`);
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
  if (!atLeast(16)) delete module.exports.promises;
  else if (!atLeast(20)) Object.defineProperty(module.exports, 'promises', { __proto__: null, enumerable: false });
  const show = (target, key, value) => Object.defineProperty(target, key, { __proto__: null, value, configurable: true });
  if (!atLeast(22)) {
    show(setTimeout, 'length', atLeast(6) ? 5 : 2);
    show(setInterval, 'length', atLeast(6) ? 5 : 2);
    show(setImmediate, 'length', 4);
  }
  if (!atLeast(8)) [setTimeout, setInterval, setImmediate].forEach((original) => show(original, 'name', ''));
}
Object.defineProperty(module.exports, 'restrict', { __proto__: null, value: restrict, configurable: true });
