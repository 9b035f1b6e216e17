// stdout only
// How a for await is left: what return() gives is waited for, and what the body has thrown goes on whatever becomes of that.
'use strict';

const tick = (n) => { let p = Promise.resolve(); for (let i = 1; i <= n; i++) p = p.then(() => console.log('job', i)); };
const make = (give, hasReturn = true) => ({
  [Symbol.asyncIterator]() {
    const iterator = { next() { return { value: 1 }; }, return() { console.log('return'); tick(5); return give(); } };
    if (!hasReturn) delete iterator.return;
    return iterator;
  },
});
const iterables = {
  undefined: () => make(() => undefined),
  object: () => make(() => ({})),
  number: () => make(() => 5),
  rejected: () => make(() => Promise.reject(new Error('return'))),
  throws: () => make(() => { throw new Error('return'); }),
  later: () => make(() => new Promise((resolve) => setTimeout(resolve, 1, {}))),
  none: () => make(undefined, false),
  generator: async function* () { try { yield 1; } finally { console.log('finally'); tick(5); await 5; } },
  sync: function* () { try { yield 1; } finally { console.log('finally'); tick(5); } },
};
const ways = {
  async throws(iterable) { for await (const x of iterable) throw new Error('body'); },
  async rejects(iterable) { for await (const x of iterable) await Promise.reject(new Error('body')); },
  async caught(iterable) { try { for await (const x of iterable) throw new Error('body'); } catch (e) { console.log('caught', e.message); } },
  async nested(iterable) { for await (const y of iterables.generator()) for await (const x of iterable) throw new Error('body'); },
  async within(iterable) { for (const y of [1, 2]) for await (const x of iterable) for (const z of [3]) throw new Error('body'); },
  async destructures(iterable) { for await (const { a: { b } } of iterable) console.log(b); },
};

(async () => {
  for (const [way, leave] of Object.entries(ways)) {
    for (const [kind, iterable] of Object.entries(iterables)) {
      console.log('--', way, kind);
      tick(2);
      leave(iterable()).then(() => console.log('done'), (e) => console.log('failed', e.message === 'body' ? 'body' : e.name));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
})();
