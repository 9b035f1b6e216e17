// The hooks of node:async_hooks, and what resources are told them (lib/internal/async_hooks.js).
//
// Numbers are given away by the engine, which calls tellHook() and promiseHook() while it knows of hooks that want it.
// Resources of the library itself (requests, handles) are Resource below. As in Node, a change of the hooks that a hook
// makes counts once all hooks have heard of the event that is being told.
'use strict';

const native = internalBinding;
const { atLeast } = require('internal/version');

const { apply } = Reflect;

const kNames = ['init', 'before', 'after', 'destroy', 'promiseResolve'];
const kInit = 0;
const kBefore = 1;
const kAfter = 2;
const kDestroy = 3;
const kPromiseResolve = 4;

// Engine::Hooks.
const kAny = 32;
const kOfPromises = 64;
const kOfNewPromises = 128;

let asyncIdSymbol = Symbol('async_id_symbol');
let triggerAsyncIdSymbol = Symbol('trigger_async_id_symbol');

// Their names, as this version has them.
function nameSymbols() {
  if (atLeast(14)) return;
  asyncIdSymbol = Symbol('asyncId');
  triggerAsyncIdSymbol = Symbol('triggerAsyncId');
}

// ---- which hooks there are ------------------------------------------------------------------------------------------

let hooks = [];    // { functions, owner, ofPromises }: never changed once made
let next = null;   // what it becomes when the innermost event is told
let depth = 0;
let counts = [0, 0, 0, 0, 0];

function use(list) {
  const hadHooks = hooks.length > 0;
  hooks = list;
  counts = kNames.map((_, i) => list.filter((hook) => hook.functions[i] !== undefined).length);
  let flags = 0;
  counts.forEach((count, i) => { if (count > 0) flags |= 1 << i; });
  if (list.length > 0) flags |= kAny;
  const isOfPromises = list.some((hook) => hook.ofPromises);
  // Since Node 14 new promises are not looked at for hooks that hear of none of them.
  if (isOfPromises) flags |= kOfPromises | (counts[kInit] > 0 || !atLeast(14) ? kOfNewPromises : 0);
  // The reaction that runs is told to its end.
  native.setHooks(flags, hadHooks && list.length === 0 && atLeast(12));
}

function change(list) {
  if (depth > 0) next = list;
  else use(list);
}

function enableHook(hook) {
  const list = next ?? hooks;
  if (!list.includes(hook)) change([...list, hook]);
}

function disableHook(hook) {
  const list = next ?? hooks;
  if (list.includes(hook)) change(list.filter((one) => one !== hook));
}

function hasHooks(kind) { return counts[kind] > 0; }

// An error of a hook ends the process, and nothing can catch it.
function fatalError(error) {
  const process = native.process;
  if (typeof error?.stack === 'string') native.write(`${error.stack}\n`, true);
  else native.write(`Error: ${String(error)}\n`, true);
  process.exit(1);
}

function tell(kind, a, b, c, d) {
  depth++;
  try {
    for (const hook of hooks) {
      const f = hook.functions[kind];
      if (f !== undefined) apply(f, hook.owner, kind === kInit ? [a, b, c, d] : [a]);
    }
  } catch (error) {
    fatalError(error);
  }
  depth--;
  if (depth === 0 && next !== null) {
    const list = next;
    next = null;
    use(list);
  }
}

// ---- what the engine tells ------------------------------------------------------------------------------------------

// What hooks see of a tick.
class TickObject {}
function makeTickObject(id, trigger, callback) {
  const made = atLeast(12) ? {} : new TickObject();
  if (atLeast(12)) {
    made[asyncIdSymbol] = id;
    made[triggerAsyncIdSymbol] = trigger;
  }
  made.callback = callback;
  made.args = undefined;
  if (!atLeast(12)) {
    made[asyncIdSymbol] = id;
    made[triggerAsyncIdSymbol] = trigger;
  }
  if (atLeast(22)) made[Symbol.for('kAsyncContextFrame')] = undefined;
  return made;
}

// Of an init event of a tick or microtask: returns what stands for it, made of its callback.
function tellHook(kind, id, type, trigger, resource) {
  if (kind !== kInit) return tell(kind, id);
  let made;
  if (type === 'TickObject') made = makeTickObject(id, trigger, resource);
  if (type === 'Microtask') made = makeMicrotask(id, trigger, resource);
  tell(kInit, id, type, trigger, made ?? resource);
  return made;
}

let AsyncResource;
function makeMicrotask(id, trigger, callback) {
  const made = Object.create((AsyncResource ??= require('async_hooks').AsyncResource).prototype);
  made[asyncIdSymbol] = id;
  made[triggerAsyncIdSymbol] = trigger;
  made.callback = callback;
  return made;
}

function newTrigger() {
  const trigger = native.defaultTrigger();
  return trigger >= 0 ? trigger : native.executionId();
}

// Engine::PromiseEvent.
const kPromiseInit = 0;
const kPromiseBefore = 1;
const kPromiseAfter = 2;
const kPromiseSettled = 3;

// Since Node 14 a promise has its numbers itself; before, an object that stands for it does.
class PromiseWrap {
  constructor(promise, isChained) {
    Object.defineProperty(this, 'promise', { __proto__: null, value: promise, enumerable: true, configurable: true });
    this.isChainedPromise = isChained;
  }
}
const wraps = new WeakMap();

function numbersOf(promise, parent) {
  if (atLeast(14)) {
    if (promise[asyncIdSymbol] !== undefined) return promise;
    const trigger = parent !== undefined ? numbersOf(parent)[asyncIdSymbol] : newTrigger();
    promise[asyncIdSymbol] = native.newAsyncId();
    promise[triggerAsyncIdSymbol] = trigger;
    return promise;
  }
  let wrap = wraps.get(promise);
  if (wrap !== undefined) return wrap;
  const trigger = parent !== undefined ? numbersOf(parent)[asyncIdSymbol] : newTrigger();
  wrap = new PromiseWrap(promise, parent !== undefined);
  Object.defineProperty(wrap, asyncIdSymbol, { __proto__: null, value: native.newAsyncId() });
  Object.defineProperty(wrap, triggerAsyncIdSymbol, { __proto__: null, value: trigger });
  wraps.set(promise, wrap);
  return wrap;
}

// Up to Node 22 the stores of AsyncLocalStorage are properties of the resource. Those of a promise are what its rejection is told in.
const promiseContexts = new WeakMap();
function keepsStoresInFrames() { return atLeast(24); }
function contextOfPromise(promise) { return promiseContexts.get(promise); }
function setContextOfPromise(promise, context) { if (promiseContexts.has(promise)) promiseContexts.set(promise, context); }

function beginPromise(promise, parent) {
  const of = numbersOf(promise, parent);
  if (atLeast(16) && !atLeast(24)) promiseContexts.set(promise, native.asyncContext());
  if (counts[kInit] > 0) tell(kInit, of[asyncIdSymbol], 'PROMISE', of[triggerAsyncIdSymbol], of);
}

function promiseHook(event, promise, parent) {
  switch (event) {
    case kPromiseInit:
      beginPromise(promise, parent);
      return undefined;
    case kPromiseBefore: {
      const of = numbersOf(promise);
      native.setExecution(of[asyncIdSymbol], of[triggerAsyncIdSymbol], of);
      if (counts[kBefore] > 0) tell(kBefore, of[asyncIdSymbol]);
      return undefined;
    }
    case kPromiseAfter: {
      const of = numbersOf(promise);
      if (counts[kAfter] > 0) tell(kAfter, of[asyncIdSymbol]);
      return undefined;
    }
    case kPromiseSettled: {
      const of = numbersOf(promise);
      if (counts[kPromiseResolve] > 0) tell(kPromiseResolve, of[asyncIdSymbol]);
      return undefined;
    }
    default: return undefined;
  }
}

// ---- resources of the library ---------------------------------------------------------------------------------------

// `owner`: what hooks get as the resource.
class Resource {
  constructor(type, owner, trigger = newTrigger()) {
    this.id = native.newAsyncId();
    this.trigger = trigger;
    this.owner = owner;
    if (counts[kInit] > 0) tell(kInit, this.id, type, trigger, owner);
  }
  run(callback) {
    native.enterAsync(this.id, this.trigger, this.owner);
    if (counts[kBefore] > 0) tell(kBefore, this.id);
    try {
      return callback();
    } finally {
      if (counts[kAfter] > 0) tell(kAfter, this.id);
      native.leaveAsync();
    }
  }
  destroy() {
    if (counts[kDestroy] > 0) native.queueDestroy(this.id);
  }
}

module.exports = {
  kNames, kInit, kBefore, kAfter, kDestroy, Resource, contextOfPromise, disableHook, enableHook, hasHooks, keepsStoresInFrames,
  makeMicrotask, makeTickObject, nameSymbols, newTrigger, promiseHook, setContextOfPromise, tell, tellHook,
  asyncIdSymbol: () => asyncIdSymbol,
  triggerAsyncIdSymbol: () => triggerAsyncIdSymbol,
};
