// Timers that are promises (lib/timers/promises.js). The timer's callback is the promise's resolve function.
'use strict';

const native = internalBinding;
const { makeNodeError } = require('internal/errors');
const { invalidThis, kResistStopPropagation } = require('internal/event_target');
const { coerceDelay } = require('internal/timers');
const { markOwn } = require('internal/listeners');
const { atLeast } = require('internal/version');
const {
  abortErrorOf, validateAbortSignal, validateBoolean, validateNumber, validateObject,
} = require('internal/validate');

const kScheduler = Symbol('kScheduler');

// `isTimer`: not of setInterval(). Returns where signal and ref are read from: until Node 18 they are read once.
function checked(delay, options, isTimer) {
  if (delay !== undefined && atLeast(20)) validateNumber(delay, 'delay');
  if (!isTimer || atLeast(20) || !Array.isArray(options)) validateObject(options, 'options');
  if (!atLeast(20)) {
    const { signal, ref } = options;
    options = { signal, ref };
  }
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  if (options.ref !== undefined) validateBoolean(options.ref, 'options.ref');
  return options;
}

// promise.finally(onFinally), out of reach of the program's own Promise.prototype: Node has two promises around it.
function withFinally(promise, onFinally) {
  return new Promise((resolve, reject) => {
    new Promise((pass, fail) => promise.then(pass, fail)).finally(onFinally).then(resolve, reject);
  });
}

// `make(resolve)`: the timer or immediate.
function promised(make, isImmediate, { signal, ref = true }) {
  if (signal?.aborted) return Promise.reject(abortErrorOf(signal));
  let onAbort;
  const promise = new Promise((resolve, reject) => {
    const timer = make(resolve);
    if (!ref) timer.unref();
    if (!signal) return;
    onAbort = markOwn(() => {
      if (timer._destroyed) return;
      native.clear(timer, isImmediate);
      reject(abortErrorOf(signal));
    });
    signal.addEventListener('abort', onAbort, { __proto__: null, [kResistStopPropagation]: true });
  });
  return onAbort === undefined ? promise : withFinally(promise, () => signal.removeEventListener('abort', onAbort));
}

function setTimeout(delay, value, options = {}) {
  try {
    options = checked(delay, options, true);
  } catch (error) {
    return Promise.reject(error);
  }
  return promised((resolve) => native.setTimeout(resolve, coerceDelay(delay), value), false, options);
}

function setImmediate(value, options = {}) {
  try {
    options = checked(undefined, options, true);
  } catch (error) {
    return Promise.reject(error);
  }
  return promised((resolve) => native.setImmediate(resolve, value), true, options);
}

async function* setInterval(delay, value, options = {}) {
  const { signal, ref = true } = checked(delay, options);
  if (signal?.aborted) throw abortErrorOf(signal);
  let onAbort;
  let interval;
  try {
    let notYielded = 0;
    let wake;
    interval = native.setInterval(function () {
      notYielded++;
      if (wake) {
        wake();
        wake = undefined;
      }
    }, coerceDelay(delay));
    if (!ref) interval.unref();
    if (signal) {
      onAbort = markOwn(() => {
        native.clear(interval, false);
        if (wake) {
          wake(Promise.reject(abortErrorOf(signal)));
          wake = undefined;
        }
      });
      signal.addEventListener('abort', onAbort, { __proto__: null, once: true, [kResistStopPropagation]: true });
    }
    while (!signal?.aborted) {
      if (notYielded === 0) await new Promise((resolve) => { wake = resolve; });
      for (; notYielded > 0; notYielded--) yield value;
    }
    throw abortErrorOf(signal);
  } finally {
    native.clear(interval, false);
    signal?.removeEventListener('abort', onAbort);
  }
}

class Scheduler {
  constructor() { throw makeNodeError(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor'); }
  yield() {
    if (!this[kScheduler]) throw invalidThis('Scheduler');
    return setImmediate();
  }
  wait(delay, options) {
    if (!this[kScheduler]) throw invalidThis('Scheduler');
    return setTimeout(delay, undefined, atLeast(20) ? options : { signal: options?.signal });
  }
}

module.exports = {
  setTimeout, setImmediate, setInterval,
  scheduler: Object.create(Scheduler.prototype, { [kScheduler]: { value: true } }),
};
