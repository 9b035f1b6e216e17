// stdout only
// Up to Node 18, yield* of an async generator awaited what it yields.
'use strict';

const tick = (n) => { let p = Promise.resolve(); for (let i = 1; i <= n; i++) p = p.then(() => console.log('job', i)); };
const make = (value) => ({ [Symbol.asyncIterator]() { let n = 0; return { next() { return { value, done: n++ > 0 }; } }; } });
const generators = {
  plain: async function* () { return yield* make(1); },
  promise: async function* () { return yield* make(Promise.resolve(5)); },
  thenable: async function* () { return yield* make({ then(resolve) { console.log('then'); resolve(5); } }); },
  sync: async function* () { return yield* [1, Promise.resolve(2)]; },
  generator: async function* () { return yield* (async function* () { yield 1; return 2; })(); },
};

(async () => {
  for (const [name, generator] of Object.entries(generators)) {
    for (const method of ['next', 'return', 'throw']) {
      console.log('--', name, method);
      tick(9);
      const it = generator();
      for (const each of ['next', method, 'next']) {
        it[each](new Error('given')).then((v) => console.log(each, v.done, typeof v.value), (e) => console.log(each, e.name));
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
})();
