// The combinators of promises, and in which turn of the microtasks their results come.
const order = (name) => (value) => console.log(name, typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
const after = (turns, value) => (turns === 0 ? Promise.resolve(value) : Promise.resolve().then(() => after(turns - 1, value)));
const fails = (reason) => Promise.reject(reason);
Promise.all([1, after(2, 2), after(1, 3)]).then(order('all'));
Promise.all([after(3, 1), fails('no')]).then(order('not'), order('all rejected'));
Promise.allSettled([1, fails('no')]).then(order('allSettled'));
Promise.race([after(1, 'slow'), 'fast']).then(order('race'));
Promise.race([after(1, 'slow'), fails('failed')]).catch(order('race rejected'));
Promise.any([fails('a'), after(1, 'b')]).then(order('any'));
Promise.any([fails('a'), fails('b')]).catch((error) => console.log('any rejected', error.name, error.errors.join()));
Promise.all([]).then(order('all of nothing'));
Promise.try(() => 'tried').then(order('try'));
const { promise, resolve } = Promise.withResolvers();
promise.finally(() => console.log('finally')).then(order('after finally'));
resolve('resolved');
let turn = 0;
const tick = () => {
  console.log(`turn ${++turn}`);
  if (turn < 12) queueMicrotask(tick);
};
queueMicrotask(tick);
