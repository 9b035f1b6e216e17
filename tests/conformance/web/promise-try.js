// Promise.try(): Chrome gives a promise back as it is, in Firefox it is another one, two microtasks later.
const promise = Promise.resolve(1);
console.log(Promise.try(() => promise) === promise);
Promise.try(() => promise).then(() => console.log('a promise'));
Promise.try(() => 1).then(() => console.log('a value'));
Promise.try(() => ({ then: (resolve) => resolve() })).then(() => console.log('a thenable'));
class Derived extends Promise {}
console.log(Derived.try(() => promise) instanceof Derived);
Derived.try(() => promise).then(() => console.log('derived'));
Promise.try((...values) => { throw values.join(); }, 1, 2).catch((reason) => console.log('thrown', reason));
let turns = Promise.resolve();
for (let n = 1; n <= 5; n++) turns = turns.then(() => console.log('turn', n));
