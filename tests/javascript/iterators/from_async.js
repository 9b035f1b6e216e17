// stdout only
// Array.fromAsync(): its jobs, and which iterators it closes.
'use strict';

const tick = (n) => { let p = Promise.resolve(); for (let i = 1; i <= n; i++) p = p.then(() => console.log('job', i)); };
const make = (symbol, next, given) => ({ [symbol]() { return { next, return(...args) { console.log('return', args.length); return given; } }; } });
const asynchronous = (next, given) => make(Symbol.asyncIterator, next, given);
const synchronous = (next, given = {}) => make(Symbol.iterator, next, given);
let n;
const cases = {
  empty: () => [], two: () => [1, 2], promises: () => [Promise.resolve(1), 2], rejected: () => [1, Promise.reject(new Error('rejected'))],
  thenable: () => [{ then(resolve) { console.log('then'); resolve(5); } }], string: () => 'ab', number: () => 5, object: () => ({}),
  length: () => ({ length: 2, 0: 'a', 1: Promise.resolve('b') }), lengthRejected: () => ({ length: 1, 0: Promise.reject(new Error('rejected')) }),
  generator: () => (async function* () { try { yield 1; yield 2; } finally { console.log('finally'); } })(),
  generatorThrows: () => (async function* () { try { yield 1; throw new Error('thrown'); } finally { console.log('finally'); } })(),
  sync: () => (function* () { try { yield 1; yield Promise.resolve(2); } finally { console.log('finally'); } })(),
  syncRejected: () => (function* () { try { yield Promise.reject(new Error('rejected')); } finally { console.log('finally'); } })(),
  next: () => { n = 0; return asynchronous(() => ({ value: n, done: n++ > 1 })); },
  nextPromise: () => { n = 0; return asynchronous(async () => ({ value: n, done: n++ > 1 })); },
  promiseValue: () => { n = 0; return asynchronous(() => ({ value: Promise.resolve(n), done: n++ > 0 })); },
  nextRejects: () => asynchronous(() => Promise.reject(new Error('next'))), nextThrows: () => asynchronous(() => { throw new Error('next'); }),
  done: () => asynchronous(() => ({ get done() { throw new Error('done'); } })), value: () => asynchronous(() => ({ get value() { throw new Error('value'); } })),
  returnLater: () => asynchronous(() => { throw new Error('next'); }, new Promise((resolve) => setTimeout(resolve, 2, {}))),
  returnNumber: () => asynchronous(() => { throw new Error('next'); }, 5),
  syncValueRejected: () => synchronous(() => ({ value: Promise.reject(new Error('value')) })),
  syncEndRejected: () => synchronous(() => ({ value: Promise.reject(new Error('value')), done: true })),
  syncThrows: () => synchronous(() => { throw new Error('next'); }),
  iteratorThrows: () => ({ [Symbol.asyncIterator]() { throw new Error('iterator'); } }), noNext: () => ({ [Symbol.asyncIterator]() { return {}; } }),
  getters: () => ({ get [Symbol.asyncIterator]() { console.log('async'); }, get [Symbol.iterator]() { console.log('sync'); }, get length() { console.log('length'); return 1; } }),
};
const shown = (e) => (e instanceof TypeError ? 'TypeError' : e.message);
const wait = () => new Promise((resolve) => setTimeout(resolve, 4));

(async () => {
  if (!Array.fromAsync) return console.log('none');
  for (const [name, items] of Object.entries(cases)) {
    console.log('--', name);
    tick(9);
    Array.fromAsync(items()).then((v) => console.log('done', v), (e) => console.log('failed', shown(e)));
    await wait();
  }
  const maps = { plain: (x) => x + 1, promised: async (x) => x + 1, index: (x, i) => [x, i], missing: undefined, wrong: null };
  for (const [name, map] of Object.entries(maps)) {
    console.log('-- map', name);
    tick(9);
    Array.fromAsync([1, 2], map).then((v) => console.log('done', v), (e) => console.log('failed', shown(e)));
    await wait();
  }
  class Made { constructor(...args) { console.log('new', args); } }
  console.log(await Array.fromAsync.call(Made, [1]), await Array.fromAsync.call(Made, { length: 1 }), await Array.fromAsync.call(undefined, [1]));
  console.log(Array.fromAsync.length, Array.fromAsync.name);
})();
