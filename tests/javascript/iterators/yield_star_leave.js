// stdout only
// How yield* of an async generator passes return() and throw() on.
'use strict';

const tick = (n) => { let p = Promise.resolve(); for (let i = 1; i <= n; i++) p = p.then(() => console.log('job', i)); };
const kinds = {
  noReturn: () => ({ [Symbol.asyncIterator]() { return { next() { return { value: 1 }; } }; } }),
  asyncReturn: () => ({ [Symbol.asyncIterator]() { return { next() { return { value: 1 }; }, return(v) { return { value: v, done: true }; } }; } }),
  asyncReturnP: () => ({ [Symbol.asyncIterator]() { return { next() { return { value: 1 }; }, return(v) { return Promise.resolve({ value: v, done: true }); } }; } }),
  asyncReturnVP: () => ({ [Symbol.asyncIterator]() { return { next() { return { value: 1 }; }, return(v) { return { value: Promise.resolve(v), done: true }; } }; } }),
  asyncReturnNot: () => ({ [Symbol.asyncIterator]() { return { next() { return { value: 1 }; }, return(v) { return { value: v, done: false }; } }; } }),
  asyncThrow: () => ({ [Symbol.asyncIterator]() { return { next() { return { value: 1 }; }, throw(v) { return { value: v, done: true }; } }; } }),
  asyncThrowP: () => ({ [Symbol.asyncIterator]() { return { next() { return { value: 1 }; }, throw(v) { return Promise.resolve({ value: v, done: false }); } }; } }),
  array: () => [1, 2], gen: () => (function* () { yield 1; yield 2; })(), agen: () => (async function* () { yield 1; yield 2; })(),
  syncReturn: () => ({ [Symbol.iterator]() { return { next() { return { value: 1 }; }, return(v) { return { value: v, done: true }; } }; } }),
  syncReturnNot: () => ({ [Symbol.iterator]() { return { next() { return { value: 1 }; }, return(v) { return { value: v, done: false }; } }; } }),
  syncThrow: () => ({ [Symbol.iterator]() { return { next() { return { value: 1 }; }, throw(v) { return { value: v, done: true }; } }; } }),
  syncThrowThrows: () => ({ [Symbol.iterator]() { return { next() { return { value: 1 }; }, return(v) { console.log('return'); return {}; }, throw(v) { throw v; } }; } }),
  syncNoThrow: () => ({ [Symbol.iterator]() { return { next() { return { value: 1 }; }, return(...v) { console.log('return', v); return {}; } }; } }),
};
(async () => {
  for (const [name, make] of Object.entries(kinds)) for (const given of ['v', Promise.resolve('p')]) for (const method of ['return', 'throw']) {
    console.log('--', name, typeof given, method);
    const it = (async function* () { try { const v = yield* make(); console.log('ended', v); return v; } finally { console.log('finally'); } })();
    await it.next();
    tick(9);
    it[method](given).then((v) => console.log(method, v), (e) => console.log(method, 'failed', e?.name ?? e));
    await new Promise((r) => setTimeout(r, 2));
  }
})();
