// What does `finally` do with the value, and what if it throws?
// Needs Node 10.

Promise.resolve('value')
  .finally((...given) => { console.log('finally was given', given.length, 'arguments'); return 'ignored'; })
  .then((value) => console.log(value))
  .finally(() => { throw new Error('from finally'); })
  .catch((error) => console.log(error.message))
  .finally(() => new Promise((resolve) => setTimeout(() => { console.log('waited for'); resolve(); }, 10)))
  .then(() => console.log('end'));
