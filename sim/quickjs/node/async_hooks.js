// async_hooks: AsyncLocalStorage and AsyncResource (lib/async_hooks.js, lib/internal/async_local_storage).
//
// The current context is a map of the stores by their AsyncLocalStorage, never changed once made. The engine keeps it with all
// that it calls later: timers, ticks, microtasks, reactions, awaits, requests. Numbers of resources are those of the trace's
// callbacks; hooks are told of AsyncResource alone.
'use strict';

const native = internalBinding;
const { makeNodeError } = require('internal/errors');
const { atLeast, removeAbsent } = require('internal/version');
const {
  validateBoolean, validateFunction, validateObject, validateString,
} = require('internal/validate');
const { apply } = Reflect;

function withStore(storage, store) {
  const next = new Map(native.asyncContext());
  next.set(storage, store);
  return next;
}

function callIn(context, callback, self, args) {
  const outer = native.asyncContext();
  native.asyncContext(context);
  try {
    return apply(callback, self, args);
  } finally {
    native.asyncContext(outer);
  }
}

class AsyncLocalStorage {
  #isEnabled = false;
  #defaultValue;
  #name = '';
  #onPropagate;

  constructor(options = {}) {
    if (atLeast(18)) validateObject(options, 'options');
    const { onPropagate, defaultValue, name } = options;
    if (onPropagate != null && !atLeast(24)) {
      validateFunction(onPropagate, 'options.onPropagate');
      this.#onPropagate = onPropagate;
    }
    if (atLeast(24)) {
      this.#defaultValue = defaultValue;
      if (name !== undefined) this.#name = `${name}`;
    }
  }

  static bind(fn) { return AsyncResource.bind(fn); }
  static snapshot() {
    const context = native.asyncContext();
    return function (callback, ...args) { return callIn(context, callback, this, args); };
  }

  get name() { return this.#name; }

  getStore() {
    const context = native.asyncContext();
    if (atLeast(24)) return context !== undefined && context.has(this) ? context.get(this) : this.#defaultValue;
    return this.#isEnabled && context !== undefined ? context.get(this) : undefined;
  }

  enterWith(store) {
    this.#isEnabled = true;
    native.asyncContext(withStore(this, store));
  }

  run(store, callback, ...args) {
    if (!atLeast(24) && Object.is(store, this.getStore())) return apply(callback, null, args);
    this.#isEnabled = true;
    return callIn(withStore(this, store), callback, null, args);
  }

  exit(callback, ...args) {
    if (!atLeast(24) && !this.#isEnabled) return apply(callback, null, args);
    return callIn(withStore(this, undefined), callback, null, args);
  }

  disable() {
    this.#isEnabled = false;
    const context = native.asyncContext();
    if (!atLeast(24) || context === undefined) return;
    const next = new Map(context);
    next.delete(this);
    native.asyncContext(next);
  }
}

// ---- resources and hooks --------------------------------------------------------------------------------------------

const kHookNames = ['init', 'before', 'after', 'destroy', 'promiseResolve'];
const enabledHooks = new Set();
let lastResource = 2 ** 32;  // beyond the trace's numbers
const current = [];          // resources whose scope runs, the innermost last

function tell(name, ...args) { for (const hook of [...enabledHooks]) hook.tell(name, args); }

class AsyncHook {
  #functions;
  constructor(functions) {
    for (const name of kHookNames) {
      if (functions[name] !== undefined && typeof functions[name] !== 'function') {
        throw makeNodeError(TypeError, 'ERR_ASYNC_CALLBACK', `hook.${name} must be a function`);
      }
    }
    this.#functions = functions;
  }
  tell(name, args) { if (this.#functions[name]) apply(this.#functions[name], this, args); }
  enable() {
    enabledHooks.add(this);
    return this;
  }
  disable() {
    enabledHooks.delete(this);
    return this;
  }
}

function createHook(functions) { return new AsyncHook(functions); }
function executionAsyncId() { return current.length ? current[current.length - 1].asyncId() : native.callbackId(); }
function triggerAsyncId() { return current.length ? current[current.length - 1].triggerAsyncId() : 0; }
const topLevel = {};
function executionAsyncResource() { return current.length ? current[current.length - 1] : topLevel; }

class AsyncResource {
  #asyncId;
  #triggerAsyncId;
  #context;
  #isDestroyed = false;

  constructor(type, options = {}) {
    validateString(type, 'type');
    let trigger = options;
    if (typeof options !== 'number') {
      trigger = options.triggerAsyncId === undefined ? executionAsyncId() : options.triggerAsyncId;
      if (options.requireManualDestroy !== undefined) validateBoolean(options.requireManualDestroy, 'options.requireManualDestroy');
    }
    if (!Number.isSafeInteger(trigger) || trigger < -1) {
      throw makeNodeError(RangeError, 'ERR_INVALID_ASYNC_ID', `Invalid triggerAsyncId value: ${String(trigger)}`);
    }
    this.#asyncId = ++lastResource;
    this.#triggerAsyncId = trigger;
    this.#context = native.asyncContext();
    tell('init', this.#asyncId, type, trigger, this);
  }

  runInAsyncScope(fn, thisArg, ...args) {
    tell('before', this.#asyncId);
    current.push(this);
    try {
      return callIn(this.#context, fn, thisArg, args);
    } finally {
      current.pop();
      tell('after', this.#asyncId);
    }
  }

  emitDestroy() {
    if (!this.#isDestroyed) tell('destroy', this.#asyncId);
    this.#isDestroyed = true;
    return this;
  }
  asyncId() { return this.#asyncId; }
  triggerAsyncId() { return this.#triggerAsyncId; }

  bind(fn, thisArg) {
    validateFunction(fn, 'fn');
    const resource = this;
    const keepsThis = thisArg === undefined;
    const bound = atLeast(16) ?
      function (...args) { return resource.runInAsyncScope(fn, keepsThis ? this : thisArg, ...args); } :
      this.runInAsyncScope.bind(this, fn);  // the first argument is `this`
    Object.defineProperty(bound, 'length', { __proto__: null, configurable: true, value: fn.length });
    return bound;
  }
  static bind(fn, type, thisArg) {
    validateFunction(fn, 'fn');
    return new AsyncResource(type || fn.name || 'bound-anonymous-fn').bind(fn, thisArg);
  }
}

module.exports = {
  AsyncLocalStorage, createHook, executionAsyncId, triggerAsyncId, executionAsyncResource,
  asyncWrapProviders: Object.freeze({ __proto__: null, NONE: 0 }), AsyncResource,
};

// What the version has not.
function restrict() {
  removeAbsent([
    [module.exports, 'AsyncLocalStorage', '13.10 12.17'],
    [module.exports, 'executionAsyncResource', '13.9 12.17'],
    [module.exports, 'asyncWrapProviders', '17.2 16.14'],
    [AsyncLocalStorage, 'bind', '19.8 18.16'],
    [AsyncLocalStorage, 'snapshot', '19.8 18.16'],
    [AsyncLocalStorage.prototype, 'name', '24'],
    [AsyncResource, 'bind', '14.8 12.19'],
    [AsyncResource.prototype, 'bind', '14.8 12.19'],
    [AsyncResource.prototype, 'runInAsyncScope', '9.6 8.12'],
  ]);
}
Object.defineProperty(module.exports, 'restrict', { __proto__: null, value: restrict, configurable: true });
