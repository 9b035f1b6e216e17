// How many turns of the microtasks an await takes: one for a value and for a native promise, two for another thenable, three for an async
// function that returns a promise.
const thenable = {
  then(resolve) {
    resolve('thenable');
  },
};
class Derived extends Promise {}
async function waits(name, value) {
  await value;
  console.log(name);
}
async function returnsPromise() {
  return Promise.resolve();
}
waits('value', 1);
waits('promise', Promise.resolve());
waits('thenable', thenable);
waits('derived', Derived.resolve());
waits('async function that returns a promise', returnsPromise());
Promise.resolve().then(() => console.log('then'));
(async () => {
  try {
    await Promise.reject(new Error('rejected'));
  } catch (error) {
    console.log('caught', error.message);
  } finally {
    console.log('finally');
  }
})();
(async () => {
  for await (const value of [Promise.resolve('for await 1'), 'for await 2']) console.log(value);
})();
let turn = 0;
const tick = () => {
  console.log(`turn ${++turn}`);
  if (turn < 6) queueMicrotask(tick);
};
queueMicrotask(tick);
