// Three requests at the same time: does `AsyncLocalStorage` keep them apart?
// Needs Node 14.

const { AsyncLocalStorage } = require('async_hooks');
const storage = new AsyncLocalStorage();
const tell = (text) => console.log(text, storage.getStore());

async function request(delay) {
  tell('begins');
  await new Promise((resolve) => setTimeout(resolve, delay));
  tell('goes on');
  process.nextTick(() => tell('tick'));
}
storage.run('a', request, 20);
storage.run('b', request, 10);
storage.run('c', () => setImmediate(() => tell('immediate')));
tell('outside');
