// stdout only
// Strings spread into objects; an iterator that fails while it is spread is not closed.
'use strict';

console.log({ ...'ab' }, { ...'' }, { ...`${'c'}${'d'.repeat(2)}`, x: 1 }, { ...5, ...true, ...null, ...undefined, ...Symbol('s') });
const { 0: first, ...rest } = 'xyz';
console.log(first, rest, { ...[1, , 3] }, Object.assign({}, 'ab'));

const make = () => ({ [Symbol.iterator]() { return { next() { throw new Error('next'); }, return() { console.log('return'); return {}; } }; } });
const attempts = {
  array: () => [...make()],
  call: () => console.log(...make()),
  second: () => console.log(1, ...make(), 2),
  create: () => new Array(...make()),
  destructured: () => { const [a] = make(); return a; },
  restOf: () => { const [...a] = make(); return a; },
  loop: () => { for (const x of make()) console.log(x); },
  entries: () => Object.fromEntries(make()),
  star: () => [...(function* () { yield* make(); })()],
};
for (const [name, attempt] of Object.entries(attempts)) {
  try { attempt(); } catch (e) { console.log(name, e.message); }
}
for (const name of ['all', 'race', 'allSettled', 'any'].filter((one) => Promise[one])) Promise[name](make()).catch((e) => console.log(name, e.message));
