// What the packages of streams take from Node's other files (lib/internal/util.js, lib/internal/process).
'use strict';

const native = internalBinding;
const EventEmitter = require('events');
const { AbortController, AbortSignal } = require('internal/abort_controller');
const { inspect, format } = require('internal/inspect');
const types = require('internal/types');
const { internalTick } = require('internal/ticks');

const { addAbortListener } = EventEmitter;
const { apply } = Reflect;
const { any } = AbortSignal;  // not in all versions

module.exports = {
  // `process` to them.
  process: {
    browser: false,
    version: 'v8.0.0',
    env: {},
    nextTick: internalTick,
    get stdout() { return native.process.stdout; },
    get stderr() { return native.process.stderr; },
  },
  AggregateError,
  kEmptyObject: Object.freeze({ __proto__: null }),
  once(callback) {
    let isCalled = false;
    return function (...args) {
      if (isCalled) return;
      isCalled = true;
      apply(callback, this, args);
    };
  },
  createDeferredPromise() {
    const it = {};
    it.promise = new Promise((resolve, reject) => Object.assign(it, { resolve, reject }));
    return it;
  },
  promisify: { custom: Symbol.for('nodejs.util.promisify.custom') },
  debuglog: () => () => {},
  deprecate: (fn) => fn,
  format,
  inspect,
  types: { isAsyncFunction: types.isAsyncFunction, isArrayBufferView: ArrayBuffer.isView },
  isBlob: () => false,
  addAbortListener,
  AbortSignalAny: (signals) => (signals.length === 1 ? signals[0] : apply(any, AbortSignal, [signals])),
  AbortController,
  normalizeEncoding: (name) => name,
};
