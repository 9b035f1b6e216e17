// How many jobs async generators and loops over them take: each number is how many links of a chain of promises have run until then.
function makeChain() {
  let links = 0;
  let goesOn = true;
  (function next() { if (goesOn && links < 60) Promise.resolve().then(() => { links++; next(); }); })();
  return { links: () => links, stop: () => { goesOn = false; } };
}
const cases = [];
function test(name, run) { cases.push({ name, run }); }
// The jobs until each of the calls of next() and the like has its answer.
function calls(name, make, ...requests) {
  test(name, (note) => {
    const generator = make();
    for (const [method, value] of requests) generator[method](value).then(note, note);
  });
}
const next = ['next'];

async function* empty() {}
async function* one() { yield 1; }
async function* promised() { yield Promise.resolve(1); }
async function* returns() { return 1; }
async function* returnsPromise() { return Promise.resolve(1); }
async function* returnsNothing() { return; }
async function* throws() { throw new Error('thrown'); }
async function* delegates() { yield* one(); }
async function* delegatesToArray() { yield* [1, 2]; }
async function* delegatesToPromises() { yield* [Promise.resolve(1), Promise.reject(2)]; }
async function* withFinally() { try { yield 1; } finally { await null; } }
async function* branches() { if (cases) { yield 1; } else return 2; }
const object = { async *method() {} };

calls('empty', empty, next, next);
calls('method', object.method, next);
calls('one', one, next, next, next);
calls('promised', promised, next, next);
calls('returns', returns, next, next);
calls('returnsPromise', returnsPromise, next);
calls('returnsNothing', returnsNothing, next);
calls('throws', throws, next);
calls('branches', branches, next, next);
calls('delegates', delegates, next, next, next);
calls('delegatesToArray', delegatesToArray, next, next, next);
calls('delegatesToPromises', delegatesToPromises, next, next, next);
calls('return() at the start', one, ['return', 5]);
calls('return(promise) at the start', one, ['return', Promise.resolve(5)]);
calls('return() at the end', empty, next, ['return', 5]);
calls('return() at a yield', withFinally, next, ['return', 5], next);
calls('return(promise) at a yield', one, next, ['return', Promise.resolve(5)]);
calls('return() through yield*', delegates, next, ['return', 5]);
calls('throw() at the start', one, ['throw', 5]);
calls('throw() at a yield', one, next, ['throw', 5]);
calls('throw() through yield*', delegates, next, ['throw', 5]);
calls('a loop within', async function* () { for await (const x of one()) yield x; }, next, next);

function loops(name, of, ends) {
  test(name, async (note) => {
    try {
      for await (const x of of()) { note(x); if (ends) ends(); }
    } catch (error) {
      note(error);
    }
    note();
  });
}
loops('for await of one', one);
loops('for await of values', () => [1, 2]);
loops('for await of promises', () => [Promise.resolve(1), Promise.resolve(2)]);
loops('for await of a rejection', () => [1, Promise.reject(2), 3]);
loops('for await of an iterator', () => {
  let left = 2;
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ value: left, done: left-- === 0 }) }) };
});
loops('for await that throws', one, () => { throw new Error('thrown'); });

(function run() {
  const current = cases.shift();
  if (!current) return;
  const chain = makeChain();
  const seen = [];
  current.run(() => seen.push(chain.links()));
  setTimeout(() => {
    chain.stop();
    console.log(`${current.name}: ${seen.join(' ')}`);
    run();
  }, 1);
})();
