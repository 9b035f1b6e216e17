// `then(2)`, `then(Promise.resolve(3))`, `then(null)`: what arrives at the end?

Promise.resolve(1)
  .then(2)
  .then(Promise.resolve(3))
  .then(null)
  .then((value) => console.log(value));
