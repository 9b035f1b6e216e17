// async_hooks: a request id through immediates and timers.
const { AsyncLocalStorage } = require('node:async_hooks');
const store = new AsyncLocalStorage();
const log = (text) => console.log(store.getStore() === undefined ? '-:' : store.getStore() + ':', text);
let id = 0;
function request() {
  store.run(id++, () => {
    log('start');
    setImmediate(() => log('finish'));
  });
}
request();
request();
store.run('outer', () => {
  store.exit(() => log('outside'));
  Promise.resolve().then(() => log('then'));
});
log('end');
