// async_hooks: AsyncLocalStorage and AsyncResource (lib/async_hooks.js, lib/internal/async_local_storage).
//
// The current context is a map of the stores by their AsyncLocalStorage, never changed once made. The engine keeps it with all
// that it calls later: timers, ticks, microtasks, reactions, awaits, requests. Numbers and hooks: internal/async_ids.js.
'use strict';

const native = internalBinding;
const ids = require('internal/async_ids');
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

// Until Node 22 a storage that is in use has a hook, which promises get their numbers by.
const storageHook = { functions: [() => {}], owner: {}, ofPromises: true };
const storagesInUse = new Set();

function noteUse(storage, isUsed) {
  if (atLeast(24)) return;
  if (isUsed) {
    storagesInUse.add(storage);
    ids.enableHook(storageHook);
  } else if (storagesInUse.delete(storage) && storagesInUse.size === 0) {
    ids.disableHook(storageHook);
  }
}

class AsyncLocalStorage {
  #isEnabled = false;
  #hidden;
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
    if (!atLeast(24)) return AsyncResource.bind((callback, ...args) => callback(...args));
    const context = native.asyncContext();
    return function (callback, ...args) { return callIn(context, callback, this, args); };
  }

  get name() { return this.#name; }

  getStore() {
    const context = native.asyncContext();
    if (atLeast(24)) return context !== undefined && context.has(this) ? context.get(this) : this.#defaultValue;
    return this.#isEnabled && context !== undefined ? context.get(this) : undefined;
  }

  // Since Node 24 a frame; before, a property of the current resource, which is hidden while the storage is disabled, and which a
  // resource made then does not get.
  #enable() {
    if (this.#isEnabled) return;
    this.#isEnabled = true;
    noteUse(this, true);
    const hidden = this.#hidden;
    this.#hidden = undefined;
    if (hidden !== undefined && hidden.of === native.executionId()) this.#set(hidden.store);
  }

  // It is a property of what runs: a resource that runs again has it then.
  #set(store) {
    const next = withStore(this, store);
    native.asyncContext(next);
    if (atLeast(24)) return;
    const resource = native.executionResource(makeNone);
    if (resource === undefined) return;
    keepContext(resource, next);
    ids.setContextOfPromise(resource, next);
  }

  enterWith(store) {
    this.#enable();
    this.#set(store);
  }

  run(store, callback, ...args) {
    if (Object.is(store, this.getStore())) return apply(callback, null, args);
    this.#enable();
    if (!atLeast(14)) {
      return new AsyncResource('AsyncLocalStorage').emitDestroy()
        .runInAsyncScope(() => callIn(withStore(this, store), callback, null, args));
    }
    const before = this.getStore();
    this.#set(store);
    try {
      return apply(callback, null, args);
    } finally {
      this.#set(before);
    }
  }

  exit(callback, ...args) {
    if (atLeast(24)) return this.run(undefined, callback, ...args);
    if (!this.#isEnabled) return apply(callback, null, args);
    this.disable();
    try {
      return apply(callback, null, args);
    } finally {
      this.#enable();
    }
  }

  disable() {
    if (!atLeast(24)) {
      if (!this.#isEnabled) return;
      this.#hidden = { store: this.getStore(), of: native.executionId() };
      this.#isEnabled = false;
      noteUse(this, false);
    }
    const context = native.asyncContext();
    if (context === undefined) return;
    const next = new Map(context);
    next.delete(this);
    native.asyncContext(next);
  }
}

// ---- resources and hooks --------------------------------------------------------------------------------------------

const kHook = Symbol('hook');

class AsyncHook {
  constructor(functions, ofPromises) {
    Object.defineProperty(this, kHook, {
      __proto__: null, value: { functions: ids.kNames.map((name) => functions[name]), owner: this, ofPromises },
    });
  }
  enable() {
    ids.enableHook(this[kHook]);
    return this;
  }
  disable() {
    ids.disableHook(this[kHook]);
    return this;
  }
}

function createHook(functions) {
  for (const name of ids.kNames) {
    if (functions[name] !== undefined && typeof functions[name] !== 'function') {
      throw makeNodeError(TypeError, 'ERR_ASYNC_CALLBACK', `hook.${name} must be a function`);
    }
  }
  return new AsyncHook(functions, true);
}

function executionAsyncId() { return native.executionId(); }
function triggerAsyncId() { return native.triggerId(); }

function makeNone() {}
const topLevel = {};
function executionAsyncResource() { return native.executionResource(makeResource); }
function makeResource(id, trigger, isMicrotask) {
  if (id < 2) return topLevel;
  return (isMicrotask ? ids.makeMicrotask : ids.makeTickObject)(id, trigger, undefined);
}

let keepContext;
let enterContext;

class AsyncResource {
  #context;
  static {
    keepContext = (resource, context) => { if (#context in resource) resource.#context = context; };
    enterContext = (resource) => { if (resource !== undefined && #context in resource) native.asyncContext(resource.#context); };
  }
  #isDestroyed = false;

  constructor(type, options = {}) {
    validateString(type, 'type');
    let trigger = options;
    if (typeof options !== 'number') {
      trigger = options.triggerAsyncId === undefined ? ids.newTrigger() : options.triggerAsyncId;
      if (options.requireManualDestroy !== undefined) validateBoolean(options.requireManualDestroy, 'options.requireManualDestroy');
    }
    if (!Number.isSafeInteger(trigger) || trigger < -1) {
      throw makeNodeError(RangeError, 'ERR_INVALID_ASYNC_ID', `Invalid triggerAsyncId value: ${String(trigger)}`);
    }
    this.#context = native.asyncContext();
    if (atLeast(22)) this[Symbol.for('context_frame')] = undefined;
    const id = native.newAsyncId();
    this[ids.asyncIdSymbol()] = id;
    this[ids.triggerAsyncIdSymbol()] = trigger;
    if (ids.hasHooks(ids.kInit)) {
      if (type.length === 0) throw makeNodeError(TypeError, 'ERR_ASYNC_TYPE', `Invalid name for async "type": ${type}`);
      ids.tell(ids.kInit, id, type, trigger, this);
    }
  }

  runInAsyncScope(fn, thisArg, ...args) {
    const id = this.asyncId();
    native.enterAsync(id, this.triggerAsyncId(), this);
    if (ids.hasHooks(ids.kBefore)) ids.tell(ids.kBefore, id);
    try {
      return callIn(this.#context, fn, thisArg, args);
    } finally {
      if (ids.hasHooks(ids.kAfter)) ids.tell(ids.kAfter, id);
      native.leaveAsync();
      if (!atLeast(24)) enterContext(native.executionResource(makeNone));
    }
  }

  emitDestroy() {
    if (this.#isDestroyed && atLeast(12)) {
      // nothing
    } else if (ids.hasHooks(ids.kDestroy)) {
      native.queueDestroy(this.asyncId());
    }
    this.#isDestroyed = true;
    return this;
  }
  asyncId() { return this[ids.asyncIdSymbol()]; }
  triggerAsyncId() { return this[ids.triggerAsyncIdSymbol()]; }

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
