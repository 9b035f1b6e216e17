// Atomics, which QuickJS has only with threads (V8: src/builtins/builtins-sharedarraybuffer.cc). There is one thread: each operation is
// whole, nobody is notified, and wait() ends when its time has passed. Its thread sleeps, and its loop stands still.
'use strict';

const native = internalBinding;
const { classOf, typedArrayOf } = require('internal/class_of');
const { nameBuiltin } = require('internal/stack');
const { tagOf } = require('internal/words');
const { atLeast } = require('internal/version');

const { apply, getOwnPropertyDescriptor } = Reflect;
const { defineProperty, getPrototypeOf } = Object;
const { asIntN, asUintN } = BigInt;
const { trunc } = Math;
const TheTypeError = TypeError;
const TheRangeError = RangeError;

const arrays = new Map([Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array]
  .map((one) => [one.name, one]));
const typedArray = getPrototypeOf(Int8Array.prototype);
const [lengthOf, bufferOf] = ['length', 'buffer'].map((name) => {
  const { get } = getOwnPropertyDescriptor(typedArray, name);
  return (array) => apply(get, array, []);
});

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
const textOf = (value) => (isObject(value) ? `[object ${tagOf(value)}]` : String(value));
const isShared = (array) => classOf(bufferOf(array)) === 'SharedArrayBuffer';
const isBig = (array) => typedArrayOf(array).startsWith('Big');

// Before V8 9 all operations took shared memory only, and before V8 7.4 no BigInts.
function checkArray(array) {
  const type = typedArrayOf(array);
  if (arrays.has(type) && (atLeast(16) || isShared(array)) && (atLeast(12) || !type.startsWith('Big'))) return;
  throw new TheTypeError(`${textOf(array)} is not an integer ${atLeast(16) ? '' : 'shared '}typed array.`);
}

function checkWaitable(array, mustBeShared) {
  const type = typedArrayOf(array);
  const isOfType = type === 'Int32Array' || (type === 'BigInt64Array' && atLeast(12));
  if (!isOfType || (!atLeast(16) && !isShared(array))) {
    throw new TheTypeError(`${textOf(array)} is not an int32 ${atLeast(12) ? 'or BigInt64 ' : ''}${
      atLeast(16) ? '' : 'shared '}typed array.`);
  }
  if (mustBeShared && !isShared(array)) throw new TheTypeError(`${textOf(array)} is not a shared typed array.`);
}

function toNumber(value) {
  if (typeof value !== 'bigint' && typeof value !== 'symbol') return +value;
  throw new TheTypeError(`Cannot convert a ${typeof value === 'bigint' ? 'BigInt' : 'Symbol'} value to a number`);
}

function toBig(value) {
  if (['number', 'undefined', 'symbol'].includes(typeof value) || value === null) {
    throw new TheTypeError(`Cannot convert ${String(value)} to a BigInt`);
  }
  return asIntN(64, value);
}

function toInteger(value) {
  return trunc(toNumber(value)) + 0 || 0;  // NaN, -0
}

function indexOf(array, index) {
  const at = toInteger(index);
  if (at < 0 || at >= lengthOf(array)) throw new TheRangeError('Invalid atomic access index');
  return at;
}

function toValue(array, value) {
  if (!isBig(array)) return atLeast(14) ? toInteger(value) : trunc(toNumber(value)) || (Object.is(value, -0) ? value : 0);
  return typedArrayOf(array) === 'BigInt64Array' ? toBig(value) : asUintN(64, toBig(value));
}

// `combine`: what stands there afterwards; the array makes an element of it.
function change(array, index, value, combine) {
  checkArray(array);
  const at = indexOf(array, index);
  const operand = toValue(array, value);
  const old = array[at];
  array[at] = combine(old, isBig(array) ? operand : operand | 0);
  return old;
}

const operations = {
  load(array, index) {
    checkArray(array);
    return array[indexOf(array, index)];
  },
  store(array, index, value) {
    checkArray(array);
    const at = indexOf(array, index);
    return array[at] = toValue(array, value);
  },
  add(array, index, value) { return change(array, index, value, (old, operand) => old + operand); },
  sub(array, index, value) { return change(array, index, value, (old, operand) => old - operand); },
  and(array, index, value) { return change(array, index, value, (old, operand) => old & operand); },
  or(array, index, value) { return change(array, index, value, (old, operand) => old | operand); },
  xor(array, index, value) { return change(array, index, value, (old, operand) => old ^ operand); },
  exchange(array, index, value) { return change(array, index, value, (_, operand) => operand); },
  compareExchange(array, index, expected, replacement) {
    checkArray(array);
    const at = indexOf(array, index);
    const element = new (arrays.get(typedArrayOf(array)))(1);
    element[0] = toValue(array, expected);
    const value = toValue(array, replacement);
    const old = array[at];
    if (old === element[0]) array[at] = value;
    return old;
  },
  isLockFree(size) {
    const bytes = toInteger(size);
    return bytes === 1 || bytes === 2 || bytes === 4 || (bytes === 8 && atLeast(14));
  },
  wait(array, index, value, timeout) {
    checkWaitable(array, true);
    const at = indexOf(array, index);
    const expected = isBig(array) ? toBig(value) : toNumber(value) | 0;
    const given = toNumber(timeout);
    const most = given !== given ? Infinity : Math.max(given, 0);
    if (array[at] !== expected) return 'not-equal';
    native.holdUp(most * 1e6);
    return 'timed-out';
  },
  notify(array, index, count) {
    checkWaitable(array, false);
    indexOf(array, index);
    if (count !== undefined) toInteger(count);
    return 0;
  },
  pause(iterations = undefined) {
    if (iterations !== undefined && !Number.isInteger(iterations)) {
      throw new TheTypeError('Atomics.pause argument must be undefined or an integer');
    }
  },
};
operations.wake = { wake(array, index, count) { return operations.notify(array, index, count); } }.wake;

function install() {
  const Atomics = {};
  for (const [name, value] of Object.entries(operations)) {
    defineProperty(Atomics, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
    nameBuiltin(value, `Atomics.${name}`);
  }
  defineProperty(Atomics, Symbol.toStringTag, { __proto__: null, value: 'Atomics', configurable: true });
  defineProperty(globalThis, 'Atomics', { __proto__: null, value: Atomics, writable: true, enumerable: false, configurable: true });
}

module.exports = { install };
