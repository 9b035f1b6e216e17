// EventEmitter (lib/events.js).
//
// `_events` has a listener, or an array of several, by event: as in Node, because programs look at it. An array may be
// replaced or changed while its listeners are called, so emit() calls those of a copy.
'use strict';

const native = internalBinding;
const { makeNodeError } = require('internal/errors');
const { inspect } = require('internal/inspect');
const { callListener, markOwn } = require('internal/listeners');
const { noteKind } = require('internal/own_places');
const { internalTick } = require('internal/ticks');
const { atLeast, has, removeAbsent } = require('internal/version');
const {
  abortErrorOf, invalidArgType, outOfRange, validateAbortSignal, validateBoolean, validateFunction, validateInteger,
  validateNumber, validateObject,
} = require('internal/validate');
const { ownKeys, apply } = Reflect;

const kRejection = Symbol.for('nodejs.rejection');
const kCapture = Symbol('kCapture');
const kShapeMode = Symbol('shapeMode');
const kErrorMonitor = Symbol('events.errorMonitor');
const kMaxEventTargetListeners = Symbol('events.maxEventTargetListeners');
const kMaxEventTargetListenersWarned = Symbol('events.maxEventTargetListenersWarned');

let defaultMaxListeners = 10;

function EventEmitter(options) {
  apply(EventEmitter.init, this, [options]);
}

EventEmitter.init = function (options) {
  const inherits = this._events === undefined || this._events === Object.getPrototypeOf(this)._events;
  if (inherits) {
    this._events = { __proto__: null };
    this._eventsCount = 0;
  }
  if (atLeast(20)) this[kShapeMode] = !inherits;
  this._maxListeners = this._maxListeners || undefined;
  let captures = EventEmitter.prototype[kCapture];
  if (options && options.captureRejections && atLeast(12)) {
    validateBoolean(options.captureRejections, 'options.captureRejections');
    captures = true;
  }
  if (atLeast(12)) this[kCapture] = captures;
};

function checkListener(listener) {
  if (typeof listener === 'function') return;
  if (atLeast(14)) validateFunction(listener, 'listener');
  throw noteKind(atLeast(10) ? invalidArgType('listener', 'Function', listener) :
    new TypeError(atLeast(6) ? '"listener" argument must be a function' : 'listener must be a function'), 'listener');
}

function checkCount(count, name) {
  if (atLeast(20)) return validateNumber(count, name, 0);
  if (typeof count === 'number' && count >= 0) return undefined;
  if (!atLeast(10)) {
    const what = name === 'setMaxListeners' ? 'n' : name;
    if (what !== 'n' && !atLeast(8)) return undefined;
    throw new TypeError(atLeast(6) ? `"${what}" argument must be a positive number` : `${what} must be a positive number`);
  }
  throw outOfRange(name === 'setMaxListeners' ? 'n' : name, 'a non-negative number', count);
}

function maxListenersOf(emitter) {
  return emitter._maxListeners === undefined ? defaultMaxListeners : emitter._maxListeners;
}

function listenersOf(emitter, event) {
  return emitter._events === undefined ? undefined : emitter._events[event];
}

function copyOf(emitter, event) {
  const list = listenersOf(emitter, event);
  if (list === undefined) return [];
  return typeof list === 'function' ? [list] : list.slice();
}

// The number of an event's listeners has exceeded the maximum: told once.
function warnOfLeak(emitter, event, list, most, above) {
  list.warned = true;
  const count = list.length;
  if (!atLeast(6)) {
    const place = {};
    Error.captureStackTrace(place, above);
    native.print(`(node) warning: possible EventEmitter memory leak detected. ${count} ${String(event)} listeners added. ` +
                 `Use emitter.setMaxListeners() to increase limit.\nTrace${place.stack.slice(place.stack.indexOf('\n'))}`, true);
    return;
  }
  const added = atLeast(12) ? ` added to ${inspect(emitter, { depth: -1 })}` : ' added';
  const limit = atLeast(20) ? ` MaxListeners is ${most}.` : '';
  const warning = new Error(`Possible EventEmitter memory leak detected. ${count} ${String(event)} listeners${added}.` +
                            `${limit} Use emitter.setMaxListeners() to increase limit`);
  warning.name = atLeast(8) ? 'MaxListenersExceededWarning' : 'Warning';
  warning.emitter = emitter;
  warning.type = event;
  warning.count = count;
  native.process.emitWarning(warning);
}

function add(emitter, event, listener, isFirst) {
  checkListener(listener);
  native.noteListener?.(emitter, event, listener);
  let events = emitter._events;
  if (events === undefined) {
    events = emitter._events = { __proto__: null };
    emitter._eventsCount = 0;
  } else if (events.newListener !== undefined) {
    emitter.emit('newListener', event, listener.listener ?? listener);
    events = emitter._events;  // a listener may have replaced it
  }
  let list = events[event];
  if (list === undefined) {
    events[event] = listener;
    ++emitter._eventsCount;
    return emitter;
  }
  if (typeof list === 'function') list = events[event] = isFirst ? [listener, list] : [list, listener];
  else if (isFirst) list.unshift(listener);
  else list.push(listener);
  const most = maxListenersOf(emitter);
  if (most > 0 && list.length > most && !list.warned) warnOfLeak(emitter, event, list, most, add);
  return emitter;
}

function onceWrapper(...args) {
  if (this.fired) return undefined;
  this.target.removeListener(this.type, this.wrapFn);
  this.fired = true;
  return callListener(this.listener, this.target, args, this.type);
}

function wrapOnce(target, type, listener) {
  native.noteListener?.(target, type, listener);
  if (atLeast(24)) {
    let isFired = false;
    const wrapper = markOwn(function wrapper(...args) {
      if (isFired) return undefined;
      isFired = true;
      target.removeListener(type, wrapper);
      return callListener(listener, target, args, type);
    });
    wrapper.listener = listener;
    return wrapper;
  }
  const state = { fired: false, wrapFn: undefined, target, type, listener };
  const wrapped = state.wrapFn = markOwn(onceWrapper.bind(state));
  wrapped.listener = listener;
  return wrapped;
}

// ---- promises that listeners return ---------------------------------------------------------------------------------

// captureRejections: the rejection of a listener's promise becomes an 'error', in a tick of its own.
function capture(emitter, promise, event, args) {
  if (!emitter[kCapture]) return;
  try {
    const { then } = promise;
    if (typeof then !== 'function') return;
    apply(then, promise, [undefined, (error) => internalTick(emitRejection, emitter, error, event, args)]);
  } catch (error) {
    emitter.emit('error', error);
  }
}

function emitRejection(emitter, error, event, args) {
  if (typeof emitter[kRejection] === 'function') {
    emitter[kRejection](error, event, ...args);
    return;
  }
  const before = emitter[kCapture];
  try {
    emitter[kCapture] = false;  // or the rejection of an 'error' listener would come back to it
    emitter.emit('error', error);
  } finally {
    emitter[kCapture] = before;
  }
}

function oldTextOf(value) {
  try {
    return '' + value;
  } catch (error) {
    // The language of Node 4 joins symbols as it prints them.
    if (!atLeast(6) && Array.isArray(value)) return value.map((item) => (item == null ? '' : String(item))).join();
    if (typeof value === 'symbol') noteKind(error, 'emitText');
    throw error;
  }
}

function throwUnhandled(emitter, args) {
  const error = args[0];
  if (error instanceof Error) {
    require('internal/fatal').noteEmitted(error, emitter, EventEmitter.prototype.emit);
    throw error;
  }
  if (!atLeast(10)) {
    const text = oldTextOf(error);
    const unhandled = new Error(atLeast(8) ? `Unhandled "error" event. (${text})` : `Uncaught, unspecified "error" event. (${text})`);
    unhandled.context = error;
    require('internal/fatal').noteEmittedOther(unhandled);
    throw unhandled;
  }
  let text = error;
  try { text = inspect(error); } catch { /* as it is */ }
  const unhandled = makeNodeError(Error, 'ERR_UNHANDLED_ERROR', `Unhandled error. (${text})`);
  unhandled.context = error;
  require('internal/fatal').noteEmittedOther(unhandled);
  throw unhandled;
}

function sameListener(known, listener) { return known === listener || known.listener === listener; }

Object.assign(EventEmitter.prototype, {
  _events: undefined,
  _eventsCount: 0,
  _maxListeners: undefined,

  setMaxListeners(n) {
    checkCount(n, 'setMaxListeners');
    this._maxListeners = n;
    return this;
  },

  getMaxListeners() { return maxListenersOf(this); },

  emit(type, ...args) {
    const isError = type === 'error';
    const events = this._events;
    if (events !== undefined && isError && events[kErrorMonitor] !== undefined) this.emit(kErrorMonitor, ...args);
    if (isError && (events === undefined || events.error === undefined)) throwUnhandled(this, args);
    if (events === undefined) return false;
    const list = events[type];
    if (list === undefined) return false;
    const listeners = typeof list === 'function' ? [list] : list.slice();
    for (let i = 0; i < listeners.length; ++i) {
      const result = callListener(listeners[i], this, args, type);
      if (result !== undefined && result !== null) capture(this, result, type, args);
    }
    return true;
  },

  addListener(type, listener) { return add(this, type, listener, false); },
  on: undefined,
  prependListener(type, listener) { return add(this, type, listener, true); },

  once(type, listener) {
    checkListener(listener);
    this.on(type, wrapOnce(this, type, listener));
    return this;
  },

  prependOnceListener(type, listener) {
    checkListener(listener);
    this.prependListener(type, wrapOnce(this, type, listener));
    return this;
  },

  removeListener(type, listener) {
    checkListener(listener);
    const list = listenersOf(this, type);
    if (list === undefined) return this;
    const events = this._events;
    if (sameListener(list, listener)) {
      this._eventsCount -= 1;
      if (this[kShapeMode]) {
        events[type] = undefined;
        if (atLeast(24) && events.removeListener) this.emit('removeListener', type, list.listener || listener);
      } else if (this._eventsCount === 0) {
        this._events = { __proto__: null };
        // The object of before still has it, when it was the last one itself.
        if (atLeast(22) && events.removeListener) this.emit('removeListener', type, list.listener || listener);
      } else {
        delete events[type];
        if (events.removeListener) this.emit('removeListener', type, list.listener || listener);
      }
    } else if (typeof list !== 'function') {
      let at = list.length - 1;
      while (at >= 0 && !sameListener(list[at], listener)) --at;
      if (at < 0) return this;
      const removed = list[at];
      list.splice(at, 1);
      if (list.length === 1) events[type] = list[0];
      if (events.removeListener !== undefined) {
        this.emit('removeListener', type, atLeast(12) ? listener : removed.listener || listener);
      }
    }
    return this;
  },

  off: undefined,

  removeAllListeners(type) {
    const events = this._events;
    if (events === undefined) return this;
    if (events.removeListener === undefined) {
      if (arguments.length === 0) {
        this._events = { __proto__: null };
        this._eventsCount = 0;
      } else if (events[type] !== undefined) {
        if (--this._eventsCount === 0) this._events = { __proto__: null };
        else delete events[type];
      }
      this[kShapeMode] = false;
      return this;
    }
    if (arguments.length === 0) {
      for (const key of ownKeys(events)) {
        if (key !== 'removeListener') this.removeAllListeners(key);
      }
      this.removeAllListeners('removeListener');
      this._events = { __proto__: null };
      this._eventsCount = 0;
      this[kShapeMode] = false;
      return this;
    }
    const list = events[type];
    if (typeof list === 'function') {
      this.removeListener(type, list);
    } else if (list !== undefined) {
      for (let i = list.length - 1; i >= 0; --i) this.removeListener(type, list[i]);
    }
    return this;
  },

  listeners(type) {
    return copyOf(this, type).map((listener) => (typeof listener.listener === 'function' ? listener.listener : listener));
  },

  rawListeners(type) { return copyOf(this, type); },

  listenerCount(type, listener) {
    const list = listenersOf(this, type);
    if (list === undefined) return 0;
    const all = typeof list === 'function' ? [list] : list;
    if (listener == null || !has('19.8 18.16')) return all.length;
    return all.filter((known) => sameListener(known, listener)).length;
  },

  eventNames() {
    const { _events: events } = this;
    return this._eventsCount > 0 ? ownKeys(events).filter((name) => events[name] !== undefined) : [];
  },
});
EventEmitter.prototype.on = EventEmitter.prototype.addListener;
EventEmitter.prototype.off = EventEmitter.prototype.removeListener;
Object.defineProperty(EventEmitter.prototype, kCapture, { __proto__: null, value: false, writable: true, enumerable: false });

// ---- either kind of source of events --------------------------------------------------------------------------------

function isEventTarget(target) { return require('internal/event_target').isEventTarget(target); }

function listen(emitter, event, listener, flags) {
  if (typeof emitter.on === 'function') {
    if (flags && flags.once) emitter.once(event, listener);
    else emitter.on(event, listener);
  } else if (typeof emitter.addEventListener === 'function') {
    emitter.addEventListener(event, listener, flags);
  } else {
    throw invalidArgType('emitter', 'EventEmitter', emitter);
  }
}

function unlisten(emitter, event, listener, flags) {
  if (typeof emitter.removeListener === 'function') emitter.removeListener(event, listener);
  else if (typeof emitter.removeEventListener === 'function') emitter.removeEventListener(event, listener, flags);
  else throw invalidArgType('emitter', 'EventEmitter', emitter);
}

function onceFlags() {
  const { kResistStopPropagation } = require('internal/event_target');
  return { __proto__: null, once: true, [kResistStopPropagation]: true };
}

// A promise of the arguments of the next event. Versions before 16 have no async function here, which costs no job more:
// what it returns is a promise that it waits for.
function onceOf(emitter, name, signal) {
  return new Promise((resolve, reject) => {
    const forget = () => { if (signal != null) unlisten(signal, 'abort', onAbort); };
    const onError = markOwn((error) => {
      emitter.removeListener(name, onEvent);
      forget();
      reject(error);
    });
    const onEvent = markOwn((...args) => {
      if (typeof emitter.removeListener === 'function') emitter.removeListener('error', onError);
      forget();
      resolve(args);
    });
    const onAbort = markOwn(() => {
      unlisten(emitter, name, onEvent);
      unlisten(emitter, 'error', onError);
      reject(abortErrorOf(signal));
    });
    const listensToErrors = name !== 'error' && typeof emitter.once === 'function';
    if (listensToErrors && !atLeast(14)) emitter.once('error', onError);
    listen(emitter, name, onEvent, onceFlags());
    if (listensToErrors && atLeast(14)) emitter.once('error', onError);
    if (signal != null) listen(signal, 'abort', onAbort, onceFlags());
  });
}

async function onceInAsync(emitter, name, options) {
  if (atLeast(22)) validateObject(options, 'options');
  const signal = options?.signal;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw abortErrorOf(signal);
  return onceOf(emitter, name, signal);
}

function once(emitter, name, options = {}) {
  return has('15 14.17') ? onceInAsync(emitter, name, options) : onceOf(emitter, name, undefined);
}

function resultOf(value, done) { return atLeast(26) ? { done, value } : { value, done }; }

// An async iterator over the arguments of all events.
function on(emitter, event, options = {}) {
  if (atLeast(22)) validateObject(options, 'options');
  const signal = options?.signal;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw abortErrorOf(signal);
  const high = options.highWaterMark ?? options.highWatermark ?? Number.MAX_SAFE_INTEGER;
  const low = options.lowWaterMark ?? options.lowWatermark ?? 1;
  validateInteger(high, 'options.highWaterMark', 1);
  validateInteger(low, 'options.lowWaterMark', 1);
  const unread = [];
  const waiting = [];
  const listening = [];
  const removesLastFirst = atLeast(20);
  let isPaused = false;
  let error = null;
  let isFinished = false;
  let stopAbort = null;

  const add = (name, listener) => {
    listen(emitter, name, listener);
    listening.push([name, listener]);
  };
  const stopListening = () => {
    while (listening.length) unlisten(emitter, ...(removesLastFirst ? listening.pop() : listening.shift()));
  };
  const finish = markOwn(() => {
    stopAbort?.[Symbol.dispose]();
    stopListening();
    isFinished = true;
    const done = resultOf(undefined, true);
    while (waiting.length) waiting.shift().resolve(done);
    return Promise.resolve(done);
  });
  function eventHandler(...args) {
    if (waiting.length) {
      waiting.shift().resolve(resultOf(args, false));
      return;
    }
    unread.push(args);
    if (!isPaused && unread.length > high) {
      isPaused = true;
      emitter.pause();
    }
  }
  const onEvent = markOwn(removesLastFirst ? (...args) => eventHandler(...args) : eventHandler);
  const onError = markOwn(function errorHandler(failure) {
    if (waiting.length) waiting.shift().reject(failure);
    else error = failure;
    finish();
  });

  const iterator = {
    next() {
      if (unread.length) {
        const value = unread.shift();
        if (isPaused && unread.length < low) {
          emitter.resume();
          isPaused = false;
        }
        return Promise.resolve(resultOf(value, false));
      }
      if (error) {
        const failed = Promise.reject(error);
        error = null;  // only once
        return failed;
      }
      if (isFinished) return finish();
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    return() { return finish(); },
    throw(failure) {
      if (!failure || !(failure instanceof Error)) throw invalidArgType('EventEmitter.AsyncIterator', 'Error', failure);
      if (atLeast(20)) return void onError(failure);
      // Those who wait are not told, and the signal still is listened to.
      error = failure;
      stopListening();
    },
    [Symbol.asyncIterator]() { return this; },
  };
  Object.setPrototypeOf(iterator, asyncIteratorPrototype);
  add(event, onEvent);
  if (event !== 'error' && typeof emitter.on === 'function') add('error', onError);
  for (const name of (atLeast(20) && options.close) || []) add(name, finish);
  if (signal) stopAbort = addAbortListener(signal, markOwn(() => onError(abortErrorOf(signal))));
  return iterator;
}
const asyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

function addAbortListener(signal, listener) {
  if (signal === undefined) throw invalidArgType('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateFunction(listener, 'listener');
  let remove;
  if (signal.aborted) {
    native.queueMicrotask(() => listener());
  } else {
    signal.addEventListener('abort', listener, onceFlags());
    remove = () => signal.removeEventListener('abort', listener);
  }
  return { __proto__: null, [Symbol.dispose]() { remove?.(); } };
}

function getEventListeners(target, type) {
  if (typeof target.listeners === 'function') return target.listeners(type);
  if (isEventTarget(target)) return require('internal/event_target').listenersOf(target, type);
  throw invalidArgType('emitter', ['EventEmitter', 'EventTarget'], target);
}

function getMaxListeners(target) {
  if (typeof target?.getMaxListeners === 'function') return maxListenersOf(target);
  if (target?.[kMaxEventTargetListeners] !== undefined) return target[kMaxEventTargetListeners];
  throw invalidArgType('emitter', ['EventEmitter', 'EventTarget'], target);
}

function setMaxListeners(n = defaultMaxListeners, ...targets) {
  checkCount(n, 'setMaxListeners');
  if (!targets.length) defaultMaxListeners = n;
  for (const target of targets) {
    if (isEventTarget(target)) {
      target[kMaxEventTargetListeners] = n;
      target[kMaxEventTargetListenersWarned] = false;
    } else if (typeof target.setMaxListeners === 'function') {
      target.setMaxListeners(n);
    } else {
      throw invalidArgType('eventTargets', ['EventEmitter', 'EventTarget'], target);
    }
  }
}

function listenerCount(emitter, type) {
  if (typeof emitter.listenerCount === 'function') return emitter.listenerCount(type);
  if (isEventTarget(emitter)) return require('internal/event_target').listenersOf(emitter, type).length;
  return apply(EventEmitter.prototype.listenerCount, emitter, [type]);
}

Object.assign(EventEmitter, { addAbortListener, once, on, getEventListeners, getMaxListeners, EventEmitter });
EventEmitter.usingDomains = false;
EventEmitter.captureRejectionSymbol = kRejection;
Object.defineProperties(EventEmitter, {
  captureRejections: {
    __proto__: null,
    get() { return EventEmitter.prototype[kCapture]; },
    set(value) {
      validateBoolean(value, 'EventEmitter.captureRejections');
      EventEmitter.prototype[kCapture] = value;
    },
    enumerable: true,
    configurable: true,
  },
  EventEmitterAsyncResource: {
    __proto__: null,
    get() { return require('internal/emitter_resource').EventEmitterAsyncResource; },
    enumerable: true,
    configurable: true,
  },
});
EventEmitter.errorMonitor = kErrorMonitor;
Object.defineProperty(EventEmitter, 'defaultMaxListeners', {
  __proto__: null,
  enumerable: true,
  get() { return defaultMaxListeners; },
  set(count) {
    checkCount(count, 'defaultMaxListeners');
    defaultMaxListeners = count;
  },
});
Object.assign(EventEmitter, { setMaxListeners, listenerCount });
Object.defineProperties(EventEmitter, {
  kMaxEventTargetListeners: { __proto__: null, value: kMaxEventTargetListeners, configurable: true },
  kMaxEventTargetListenersWarned: { __proto__: null, value: kMaxEventTargetListenersWarned, configurable: true },
});

// What the version has not.
function restrict() {
  removeAbsent([
    [EventEmitter, 'addAbortListener', '20.5 18.18'],
    [EventEmitter, 'once', '11.13 10.16'],
    [EventEmitter, 'on', '13.6 12.16'],
    [EventEmitter, 'getEventListeners', '15.2 14.17'],
    [EventEmitter, 'getMaxListeners', '19.9 18.17'],
    [EventEmitter, 'captureRejectionSymbol', '13.4 12.16'],
    [EventEmitter, 'captureRejections', '13.4 12.16'],
    [EventEmitter, 'errorMonitor', '13.6 12.17'],
    [EventEmitter, 'setMaxListeners', '15.4 14.17'],
    [EventEmitter, 'EventEmitterAsyncResource', '17.4 16.14'],
    [EventEmitter.prototype, 'prependListener', '6'],
    [EventEmitter.prototype, 'prependOnceListener', '6'],
    [EventEmitter.prototype, 'eventNames', '6'],
    [EventEmitter.prototype, 'off', '10'],
    [EventEmitter.prototype, 'rawListeners', '9.4'],
  ]);
}

module.exports = EventEmitter;
Object.defineProperty(EventEmitter, 'restrict', { __proto__: null, value: restrict, configurable: true, enumerable: false });
