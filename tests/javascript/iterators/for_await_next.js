// stdout only
// An iterator that fails is not closed, but since Node 24 one that is not asynchronous.
'use strict';

const failed = (e) => (e instanceof TypeError ? 'TypeError' : e.message);
const make = (symbol, next) => ({ [symbol]() { return { next, return() { console.log('return'); return {}; } }; } });
const broken = () => { const p = Promise.resolve(); Object.defineProperty(p, 'constructor', { get() { throw new Error('constructor'); } }); return p; };
const nexts = {
  throws() { throw new Error('next'); },
  number() { return 5; },
  done() { return { get done() { throw new Error('done'); } }; },
  value() { return { get value() { throw new Error('value'); } }; },
  rejected() { return Promise.reject(new Error('rejected')); },
};
const values = {
  rejected() { return { value: Promise.reject(new Error('value')) }; },
  rejectedAtEnd() { return { value: Promise.reject(new Error('value')), done: true }; },
  broken() { return { value: broken() }; },
};
async function over(iterable) { for await (const x of iterable) console.log('value', x); }
async function nested(iterable) { for (const y of [1]) for await (const x of iterable) console.log('value', x); }
async function* star(iterable) { yield* iterable; }

async function run(name, iterable) {
  console.log('--', name);
  await over(iterable).catch((e) => console.log('over', failed(e)));
  await nested(iterable).catch((e) => console.log('nested', failed(e)));
  const generator = star(iterable);
  for (const method of ['next', 'next', 'return']) {
    await generator[method](1).then((v) => console.log(method, v), (e) => console.log(method, failed(e)));
  }
}

(async () => {
  for (const [name, next] of Object.entries(nexts)) await run(`async ${name}`, make(Symbol.asyncIterator, next));
  for (const [name, next] of Object.entries(nexts)) if (name !== 'rejected') await run(`sync ${name}`, make(Symbol.iterator, next));
  for (const [name, next] of Object.entries(values)) await run(`sync value ${name}`, make(Symbol.iterator, next));
  await run('generator', (function* () { try { yield Promise.reject(new Error('yielded')); } finally { console.log('finally'); } })());
})();
