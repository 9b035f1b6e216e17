// Promises of V8 4.5 (Node 4; v8/src/promise.js), from before ECMAScript 2015: one may be resolved with a thenable or with
// another promise, and looks at it only when somebody waits; then() of what it was resolved with is called within the reaction.
//
// They are the language's own promises, so that all that is told of promises is told of them. What has a property `then` goes into
// such a promise in a box.
'use strict';

const native = internalBinding;
const { noteKind } = require('internal/own_places');
const { textOf } = require('internal/words');

const Native = Promise;
const { then: nativeThen } = Native.prototype;
const { getOwnPropertyDescriptor, getPrototypeOf, defineProperty, setPrototypeOf } = Object;
const { apply } = Reflect;
const { bind } = Function.prototype;
const { get, set, has } = WeakMap.prototype;

// ---- states ----------------------------------------------------------------------------------------------------------------

const states = new WeakMap();  // by promise: { isPending, resolve, reject }

class Box {
  #value;
  constructor(value) { this.#value = value; }
  static valueOf(it) { return typeof it === 'object' && it !== null && #value in it ? it.#value : it; }
}
const { valueOf: unboxed } = Box;

function isObject(value) { return (typeof value === 'object' && value !== null) || typeof value === 'function'; }

function isPromise(value) {
  return isObject(value) && (apply(has, states, [value]) || native.promiseDetails(value) !== undefined);
}

// Whether the language's own promises would see a `then`.
function hasThen(value) {
  for (let at = value; at !== null; at = getPrototypeOf(at)) {
    if (native.proxyDetails(at) !== undefined || getOwnPropertyDescriptor(at, 'then') !== undefined) return true;
  }
  return false;
}

function make() {
  let state;
  const promise = new Native((resolve, reject) => { state = { isPending: true, resolve, reject }; });
  apply(set, states, [promise, state]);
  return promise;
}

function settle(promise, isRejected, value) {
  const state = apply(get, states, [promise]);
  if (!state.isPending) return;
  state.isPending = false;
  if (isRejected) state.reject(value);
  else state.resolve(isObject(value) && hasThen(value) ? new Box(value) : value);
}

function settled(isRejected, value) {
  const promise = make();
  settle(promise, isRejected, value);
  return promise;
}

// A promise, and the functions that settle it.
function deferred(Constructor) {
  if (Constructor === EarlyPromise) {
    const promise = make();
    return { promise, resolve: (value) => settle(promise, false, value), reject: (reason) => settle(promise, true, reason) };
  }
  const result = { promise: undefined, resolve: undefined, reject: undefined };
  result.promise = new Constructor((resolve, reject) => {
    result.resolve = resolve;
    result.reject = reject;
  });
  return result;
}

// ---- reactions ---------------------------------------------------------------------------------------------------------------

function pass(value) { return value; }
function fail(reason) { throw reason; }
function cycle() { return new TypeError('Chaining cycle detected for promise #<Promise>'); }

function handle(handler, { promise, resolve, reject }, given) {
  try {
    const result = handler(unboxed(given));
    if (result === promise) throw cycle();
    else if (isPromise(result)) chain(result, resolve, reject);
    else resolve(result);
  } catch (error) {
    try { reject(error); } catch { /* a constructor's own */ }
  }
}

// `shown`: the program's function that it stands for in the trace, if there is one: a bound function is not shown.
function reaction(handler, shown, result) {
  if (typeof shown !== 'function') return apply(bind, handle, [undefined, handler, result]);
  const run = (given) => handle(handler, result, given);
  const name = getOwnPropertyDescriptor(shown, 'name')?.value;
  defineProperty(run, 'name', { value: typeof name === 'string' ? name : '', configurable: true });
  return run;
}

// What resolved a promise, as its then() sees it.
function coerced(Constructor, value) {
  if (isPromise(value) || !isObject(value)) return value;
  let then;
  try {
    ({ then } = value);
  } catch (error) {
    return Constructor === EarlyPromise ? settled(true, error) : new Constructor((resolve, reject) => reject(error));
  }
  if (typeof then !== 'function') return value;
  const { promise, resolve, reject } = deferred(Constructor);
  try {
    apply(then, value, [resolve, reject]);
  } catch (error) {
    reject(error);
  }
  return promise;
}

function chain(promise, fulfilled, rejected, shownFulfilled, shownRejected) {
  const result = deferred(promise.constructor);
  if (!isPromise(promise)) throw noteKind(new TypeError(`${textOf(promise)} is not a promise`), 'caller');
  apply(nativeThen, promise, [
    reaction(fulfilled === undefined ? pass : fulfilled, shownFulfilled, result),
    reaction(rejected === undefined ? fail : rejected, shownRejected, result),
  ]);
  return result.promise;
}

// As V8 4.5 says it.
function checkIterable(value, name) {
  if (value === undefined || value === null) throw new TypeError(`Cannot read property 'Symbol(Symbol.iterator)' of ${value}`);
  if (typeof value[Symbol.iterator] !== 'function') throw new TypeError(`Promise.${name} is not a function`);
}

// ---- what a program sees -------------------------------------------------------------------------------------------------------

function EarlyPromise(resolver) {
  if (new.target === undefined) throw noteKind(new TypeError(`${textOf(this)} is not a promise`), 'caller');
  if (typeof resolver !== 'function') throw noteKind(new TypeError(`Promise resolver ${textOf(resolver)} is not a function`), 'caller');
  const promise = make();
  if (new.target !== EarlyPromise) setPrototypeOf(promise, new.target.prototype);
  try {
    resolver((value) => settle(promise, false, value), (reason) => settle(promise, true, reason));
  } catch (error) {
    settle(promise, true, error);
  }
  return promise;
}

const prototypeMembers = {
  chain(fulfilled, rejected) { return chain(this, fulfilled, rejected, fulfilled, rejected); },
  then(onFulfilled, onRejected) {
    const Constructor = this.constructor;
    const fulfilled = typeof onFulfilled === 'function' ? onFulfilled : pass;
    const rejected = typeof onRejected === 'function' ? onRejected : fail;
    const look = (given) => {
      const value = coerced(Constructor, given);
      if (value === this) return rejected(cycle());
      return isPromise(value) ? value.then(fulfilled, rejected) : fulfilled(value);
    };
    return chain(this, look, rejected, onFulfilled, onRejected);
  },
  catch(onRejected) { return this.then(undefined, onRejected); },
};

const members = {
  defer() { return deferred(this); },
  accept(value) { return this === EarlyPromise ? settled(false, value) : new this((resolve) => resolve(value)); },
  reject(reason) { return this === EarlyPromise ? settled(true, reason) : new this((resolve, reject) => reject(reason)); },
  all(iterable) {
    const { promise, resolve, reject } = deferred(this);
    const values = [];
    let pending = 0;
    try {
      checkIterable(iterable, 'all');
      let i = 0;
      for (const value of iterable) {
        const at = i++;
        this.resolve(value).then((given) => {
          values[at] = given;
          if (--pending === 0) resolve(values);
        }, (reason) => reject(reason));
        ++pending;
      }
      if (pending === 0) resolve(values);
    } catch (error) {
      reject(error);
    }
    return promise;
  },
  race(iterable) {
    const { promise, resolve, reject } = deferred(this);
    try {
      checkIterable(iterable, 'race');
      for (const value of iterable) this.resolve(value).then((given) => resolve(given), (reason) => reject(reason));
    } catch (error) {
      reject(error);
    }
    return promise;
  },
  resolve(value) { return isPromise(value) ? value : new this((resolve) => resolve(value)); },
};

// Takes the place of the language's own.
function install() {
  const keep = (target, key, value) => defineProperty(target, key, { value, writable: true, enumerable: false, configurable: true });
  for (const key of Object.keys(members)) keep(EarlyPromise, key, members[key]);
  for (const key of Object.keys(prototypeMembers)) keep(Native.prototype, key, prototypeMembers[key]);
  keep(Native.prototype, 'constructor', EarlyPromise);
  delete Native.prototype[Symbol.toStringTag];
  defineProperty(EarlyPromise, 'prototype', { value: Native.prototype, writable: false });
  defineProperty(EarlyPromise, 'name', { value: 'Promise' });
  keep(globalThis, 'Promise', EarlyPromise);
}

module.exports = { install, unboxed };
