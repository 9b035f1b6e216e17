// A promise that is resolved with a promise takes two more turns of the microtasks, with another thenable one.
const turns = (count, name) => {
  let promise = Promise.resolve();
  for (let i = 1; i <= count; ++i) promise = promise.then(() => console.log(`${name} ${i}`));
};
Promise.resolve()
  .then(() => Promise.resolve('promise'))
  .then((value) => console.log('was resolved with a', value));
Promise.resolve()
  .then(() => ({
    then(resolve) {
      console.log('then() of the thenable');
      resolve('thenable');
    },
  }))
  .then((value) => console.log('was resolved with a', value));
new Promise((resolve) => resolve(Promise.resolve())).then(() => console.log('executor'));
Promise.resolve(Promise.resolve()).then(() => console.log('Promise.resolve() returns the same promise'));
turns(6, 'turn');
