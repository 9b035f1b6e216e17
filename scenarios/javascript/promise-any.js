// `Promise.any`: what if some fail, and what if all do?
// Needs Node 16.

const later = (delay, value) => new Promise((resolve) => setTimeout(resolve, delay, value));
const fails = (delay, text) => later(delay).then(() => { throw new Error(text); });

Promise.any([fails(5, 'a'), later(20, 'b'), later(10, 'c')]).then((value) => console.log('first:', value));
Promise.any([fails(30, 'slow'), fails(25, 'fast')]).catch((error) => {
  console.log(error.constructor.name, error.errors.map((one) => one.message));
});
