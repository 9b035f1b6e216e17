// `Promise.all` is rejected: do the others stop?

function job(name, delay, fails) {
  return new Promise((resolve, reject) => setTimeout(() => {
    console.log(name);
    if (fails) reject(new Error(name)); else resolve(name);
  }, delay));
}
Promise.all([job('a', 30, false), job('b fails', 10, true), job('c fails, too', 20, true)])
  .then(() => console.log('all done'), (error) => console.log('failed: ' + error.message));
