// Array.fromAsync() as V8 has it (src/builtins/array-from-async.tq): QuickJS's closes an iterator that has come to its end, and takes
// other numbers of jobs.
'use strict';

const { nameBuiltin } = require('internal/stack');
const { textOf } = require('internal/words');

const { apply, construct } = Reflect;
const { asyncIterator: kAsyncIterator, iterator: kIterator } = Symbol;
const { defineProperty } = Object;
const TheArray = Array;

function isConstructor(value) {
  if (typeof value !== 'function') return false;
  try {
    construct(Object, [], value);
    return true;
  } catch {
    return false;
  }
}

function toLength(value) {
  const length = Math.trunc(+value);
  return length > 0 ? Math.min(length, Number.MAX_SAFE_INTEGER) : 0;
}

function put(target, key, value) {
  defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

// What return() gives; undefined: there is none, or it has thrown.
function returnOf(iterator) {
  try {
    const method = iterator.return;
    return method === undefined || method === null ? undefined : { value: apply(method, iterator, []) };
  } catch {
    return undefined;
  }
}

async function collect(items, mapFn, thisArg) {
  if (mapFn !== undefined && typeof mapFn !== 'function') throw new TypeError(`${textOf(mapFn)} is not a function`);
  let method = items[kAsyncIterator];
  const isAsync = method !== undefined && method !== null;
  if (!isAsync) method = items[kIterator];
  const makes = isConstructor(this);
  let into;
  let count = 0;
  if (method === undefined || method === null) {
    const length = toLength(items.length);
    into = makes ? new this(length) : new TheArray(length);
    for (; count < length; count++) {
      const value = await items[count];
      put(into, count, mapFn === undefined ? value : await apply(mapFn, thisArg, [value, count]));
    }
    into.length = length;
    return into;
  }
  if (typeof method !== 'function') {
    const name = isAsync ? 'Symbol.asyncIterator' : 'Symbol.iterator';
    throw new TypeError(`Array.fromAsync requires that the property of the first argument, items[${name}], when exists, be a function`);
  }
  into = makes ? new this() : [];
  const iterator = apply(method, items, []);
  const iterable = { __proto__: null, [isAsync ? kAsyncIterator : kIterator]: () => iterator };
  let failed;
  try {
    for await (const value of iterable) {
      try {
        put(into, count, mapFn === undefined ? value : await apply(mapFn, thisArg, [value, count]));
        count++;
      } catch (error) {
        failed = { error };
        break;
      }
    }
  } catch (error) {
    if (failed === undefined) {
      failed = { error };
      // V8 waits for what return() gives, and calls it again when that is rejected. One that is not asynchronous answers a job later.
      for (let isClosed = Object(iterator) !== iterator; !isClosed;) {
        const given = returnOf(iterator);
        try {
          if (given !== undefined) await (isAsync ? given.value : given.value?.value);
          isClosed = true;
        } catch { /* again */ }
        if (!isAsync) await undefined;
      }
    }
  }
  if (failed !== undefined) throw failed.error;
  into.length = count;
  return into;
}

const { fromAsync } = {
  fromAsync(items, mapFn = undefined, thisArg = undefined) { return apply(collect, this, [items, mapFn, thisArg]); },
};

function install() {
  defineProperty(TheArray, 'fromAsync', { __proto__: null, value: fromAsync, writable: true, enumerable: false, configurable: true });
  nameBuiltin(fromAsync, 'Array.fromAsync');
  nameBuiltin(collect, 'Array.fromAsync');
}

module.exports = { install };
