// `then(f, g)` or `then(f).catch(g)`: who catches what `f` throws?

function f() { throw new Error('from f'); }

Promise.resolve()
  .then(f, () => console.log('the second argument'))
  .catch((error) => console.log('a later catch: ' + error.message))
  .then(() => console.log('and all is well again'));
