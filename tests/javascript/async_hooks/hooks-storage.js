// virtual clock, stdout only, since 12. Until Node 22 AsyncLocalStorage gives numbers to promises.
const ah = require('async_hooks');
const fs = require('fs');

let depth = 0;
const out = (text) => fs.writeSync(1, `${'  '.repeat(Math.max(0, depth))}${text}\n`);
const where = () => `execution ${ah.executionAsyncId()}, trigger ${ah.triggerAsyncId()}`;
const hook = ah.createHook({
  init(id, type, trigger) { out(`init ${type} ${id}, trigger ${trigger}, ${where()}`); },
  before(id) { out(`before ${id}, ${where()}`); depth++; },
  after(id) { depth--; out(`after ${id}, ${where()}`); },
  destroy(id) { out(`destroy ${id}, ${where()}`); },
  promiseResolve(id) { out(`resolve ${id}, ${where()}`); },
});
if (!ah.AsyncLocalStorage) process.exit();
const storage = new ah.AsyncLocalStorage();
Promise.resolve().then(() => out('before ' + where()));
storage.run(1, () => {
  out('run ' + where());
  Promise.resolve().then(() => out('then ' + where()));
  setTimeout(() => { (async () => { await 1; out('await ' + where()); })(); }, 1);
});
out('number ' + new ah.AsyncResource('X').asyncId());
setTimeout(() => {
  storage.disable();
  setTimeout(() => Promise.resolve().then(() => out(`off ${where()} ${new ah.AsyncResource('X').asyncId()}`)), 1);
}, 5);
