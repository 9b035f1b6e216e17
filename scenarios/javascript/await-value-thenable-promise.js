// `await` of a value, of a thenable, of a promise: who goes on first?
// Needs Node 8.

async function wait(what, name) {
  await what;
  console.log(name);
}
wait({ then(resolve) { resolve(); } }, 'thenable');
wait(Promise.resolve(), 'promise');
wait(1, 'value');
Promise.resolve().then(() => console.log(1)).then(() => console.log(2)).then(() => console.log(3));
