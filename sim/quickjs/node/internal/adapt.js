// The version of Node that the process is: globals that it has, and the parts of the library that differ.
'use strict';

const native = internalBinding;
const console = require('console');
const EventEmitter = require('events');
const workerThreads = require('worker_threads');
const asyncHooks = require('async_hooks');
const perfHooks = require('perf_hooks');
const timers = require('timers');
const abort = require('internal/abort_controller');
const earlyPromise = require('internal/early_promise');
const { DOMException } = require('internal/dom_exception');
const { CustomEvent, Event, EventTarget } = require('internal/event_target');
const frozenSort = require('internal/frozen_sort');
const ports = require('internal/ports');
const { refuseRevoked } = require('internal/proxy_words');
const regExpStatics = require('internal/regexp_statics');
const stack = require('internal/stack');
const { markOwn } = require('internal/listeners');
const { beginSignal, endSignal } = require('internal/process_members');
const { structuredClone } = require('internal/structured_clone');
const { atLeast, has, major, readVersion } = require('internal/version');
const { onWarning } = require('internal/warning');
const { queueMicrotask, restrict } = require('internal/timers');

// [name, value, since]
const kGlobals = [
  ['queueMicrotask', queueMicrotask, '11'],
  ['AbortController', abort.AbortController, '15'],
  ['AbortSignal', abort.AbortSignal, '15'],
  ['Event', Event, '15'],
  ['EventTarget', EventTarget, '15'],
  ['CustomEvent', CustomEvent, '19'],
  ['DOMException', DOMException, '17'],
  ['MessageChannel', ports.MessageChannel, '15'],
  ['MessagePort', ports.MessagePort, '15'],
  ['MessageEvent', ports.MessageEvent, '15'],
  ['BroadcastChannel', ports.BroadcastChannel, '18'],
  ['structuredClone', structuredClone, '17'],
  ['performance', perfHooks.performance, '16'],
  ['Performance', perfHooks.Performance, '19'],
  ['PerformanceEntry', perfHooks.PerformanceEntry, '19'],
  ['PerformanceMark', perfHooks.PerformanceMark, '19'],
  ['PerformanceMeasure', perfHooks.PerformanceMeasure, '19'],
  ['PerformanceObserver', perfHooks.PerformanceObserver, '19'],
  ['PerformanceObserverEntryList', perfHooks.PerformanceObserverEntryList, '19'],
];

const generatorPrototype = Object.getPrototypeOf(function* () {}).prototype;

// What the global object was called before it was `global`; accessors since 6, of which each tells once that it is deprecated, or since
// 10 the first.
function defineOldGlobals() {
  if (has('14')) return;
  const global = globalThis;
  let isTold = false;
  for (const name of ['GLOBAL', 'root']) {
    const define = (value) => {
      Object.defineProperty(global, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    };
    if (!has('6')) {
      define(global);
      continue;
    }
    const deprecated = (fn) => {
      let isFirst = true;
      return function deprecated(...args) {
        if (isFirst && !(isTold && has('10'))) {
          const code = has('8') ? 'DEP0016' : undefined;
          native.process.emitWarning(`'${name}' is deprecated, use 'global'`, 'DeprecationWarning', code, deprecated);
          isTold = true;
        }
        isFirst = false;
        return Reflect.apply(fn, this, args);
      };
    };
    const get = deprecated(function () { return this; });
    Object.defineProperty(global, name, { __proto__: null, get, set: deprecated(define), enumerable: false, configurable: true });
  }
}

// V8's classes of errors had a method of their own, which all shared.
function defineToString() {
  if (!has('8') || has('14')) return;
  const { toString: value } = Error.prototype;
  for (const { prototype } of [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]) {
    Object.defineProperty(prototype, 'toString', { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  }
}

function adapt() {
  readVersion();
  defineToString();
  stack.adapt();
  refuseRevoked(stack.nameBuiltin);
  regExpStatics.install(stack.nameBuiltin);
  frozenSort.install();
  defineOldGlobals();
  if (!has('6')) {
    delete generatorPrototype.return;  // so that no loop ends a generator, either
    earlyPromise.install();
    require('internal/originals').refresh();
  }
  for (const [name, value, since] of kGlobals) {
    if (has(since)) Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
    else delete globalThis[name];
  }
  for (const part of [console, EventEmitter, timers, asyncHooks, workerThreads, perfHooks]) {
    part.restrict();
    delete part.restrict;
  }
  defineBlobs();
  restrict();
  abort.restrict();
  ports.startPorts();
  const listeners = [listenForSignals, listenForWarnings];
  for (const listen of atLeast(8) && major() !== 11 ? listeners : listeners.reverse()) listen();
}

// Blob and File are Node's own files, read when they are asked for: [owner, name, file, since, whether it is listed].
function defineBlobs() {
  const buffer = require('buffer');
  const { defineLazyProperties } = require('internal/bindings/util');
  for (const [owner, name, file, since, isListed] of [
    [buffer, 'Blob', 'internal/blob', '15.7 14.18', true], [buffer, 'resolveObjectURL', 'internal/blob', '16.7', true],
    [buffer, 'File', 'internal/file', '19.2 18.13', true], [globalThis, 'Blob', 'internal/blob', '18', false],
    [globalThis, 'File', 'internal/file', '20', false],
  ]) if (has(since)) defineLazyProperties(owner, file, [name], isListed);
}

function listenForWarnings() {
  if (atLeast(6) && !require('internal/options').options.noWarnings) native.process.on('warning', onWarning);
}

// The listeners by which Node begins and ends to listen for signals, which the engine does itself: they are counted.
function listenForSignals() {
  const rows = [['newListener', 'startListeningIfSignal', beginSignal], ['removeListener', 'stopListeningIfSignal', endSignal]];
  for (const [event, name, note] of rows) {
    const { [name]: own } = atLeast(10) ? { [name](type) { note(type); } } : { [name](type, listener) { note(type); } };
    if (atLeast(20) && !atLeast(26)) native.process.on(event, markOwn([(type) => {}][0]));
    if (!atLeast(11)) Object.defineProperty(own, 'name', { __proto__: null, value: '', configurable: true });
    native.process.on(event, markOwn(own));
  }
}

module.exports = { adapt };
