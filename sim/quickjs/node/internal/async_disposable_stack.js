// AsyncDisposableStack.prototype.disposeAsync() with V8's number of jobs (ECMAScript, DisposeResources): one for each entry that is waited
// for, and one for all that are null. QuickJS's stack tells what is wrong, and whether it was disposed of; its entries are here.
'use strict';

const { nameBuiltin } = require('internal/stack');
const { textOf } = require('internal/words');

const TheStack = AsyncDisposableStack;
const TheSuppressedError = SuppressedError;
const { apply } = Reflect;
const { defineProperty, getOwnPropertyDescriptor } = Object;
const { dispose: kDispose, asyncDispose: kAsyncDispose } = Symbol;
const { adopt, defer, move, use } = TheStack.prototype;
const { get: isDisposed } = getOwnPropertyDescriptor(TheStack.prototype, 'disposed');
const { get: take, set: put } = WeakMap.prototype;

const lists = new WeakMap();  // by stack: { length, 0: { value, method, given } ... }

function add(stack, entry) {
  let list = apply(take, lists, [stack]);
  if (list === undefined) apply(put, lists, [stack, list = { __proto__: null, length: 0 }]);
  list[list.length++] = entry;
}

// The method of a value that is disposed of at once; what it throws rejects a promise.
function waitingFor(method) {
  return async function () { apply(method, this, []); };
}

async function disposeOf(list) {
  let needsAwait = false;
  let hasAwaited = false;
  let failed;
  for (let i = list.length; i-- > 0;) {
    const { value, method, given } = list[i];
    if (method === undefined) {
      needsAwait = true;
      continue;
    }
    try {
      const result = apply(method, value, given);
      hasAwaited = true;
      await result;
    } catch (error) {
      failed = { error: failed === undefined ? error :
        new TheSuppressedError(error, failed.error, 'An error was suppressed during disposal') };
    }
  }
  if (needsAwait && !hasAwaited) await undefined;
  if (failed !== undefined) throw failed.error;
}

// A method of QuickJS's, with V8's words for what it throws.
function asked(method, name, receiver, given) {
  try {
    return apply(method, receiver, given);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof ReferenceError)) throw error;
    const { message } = error;
    const shown = () => textOf(given[name === 'adopt' ? 1 : 0]);
    const method = `AsyncDisposableStack.prototype.${name}`;
    let words;
    if (message.endsWith('has been disposed')) words = `Cannot call ${method} on an already-disposed DisposableStack`;
    else if (message.endsWith(' object expected')) words = `Method ${method} called on incompatible receiver ${textOf(receiver)}`;
    else if (message === 'not an object') words = 'An object is expected with `using` declarations';
    else if (message === 'property is not a function') words = 'Symbol(Symbol.dispose) is not a function';
    else if (message === 'not a function') words = `${shown()} is not a function`;
    else throw error;
    throw error instanceof TypeError ? new TypeError(words) : new ReferenceError(words);
  }
}

async function rejectedWith(error) { throw error; }
const kEmpty = { __proto__: null, length: 0 };

const methods = {
  use(value) {
    const isReady = Object(value) === value && !asked(isDisposed, 'use', this, []);
    if (!isReady) {
      asked(use, 'use', this, [value]);
      add(this, { value: undefined, method: undefined, given: [] });
      return value;
    }
    let method = value[kAsyncDispose];
    const isSync = method === undefined || method === null;
    if (isSync) method = value[kDispose];
    if (typeof method !== 'function') return asked(use, 'use', this, [value]);
    add(this, { value, method: isSync ? waitingFor(method) : method, given: [] });
    return value;
  },
  adopt(value, onDisposeAsync) {
    asked(adopt, 'adopt', this, [value, onDisposeAsync]);
    add(this, { value: undefined, method: onDisposeAsync, given: [value] });
    return value;
  },
  defer(onDisposeAsync) {
    asked(defer, 'defer', this, [onDisposeAsync]);
    add(this, { value: undefined, method: onDisposeAsync, given: [] });
  },
  move() {
    const other = asked(move, 'move', this, []);
    const list = apply(take, lists, [this]);
    if (list !== undefined) apply(put, lists, [other, list]);
    return other;
  },
  // Not an async function itself: its promise is the one that waits.
  disposeAsync() {
    let list;
    try {
      if (!apply(isDisposed, this, [])) {
        apply(move, this, []);
        list = apply(take, lists, [this]);
      }
    } catch (error) {
      return rejectedWith(error);
    }
    return disposeOf(list ?? kEmpty);
  },
};

function install() {
  const { prototype } = TheStack;
  for (const key of ['use', 'adopt', 'defer', 'move', 'disposeAsync']) {
    defineProperty(prototype, key, { __proto__: null, value: methods[key], writable: true, enumerable: false, configurable: true });
    nameBuiltin(methods[key], `AsyncDisposableStack.${key}`);
  }
  const value = methods.disposeAsync;
  defineProperty(prototype, kAsyncDispose, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

module.exports = { install };
