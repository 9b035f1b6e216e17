// virtual clock, stdout only, since 12. Numbers of what has thrown, for listeners of uncaughtException, and what hooks hear of it.
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
process.on('uncaughtException', (e) => out(`uncaught ${e.message}, ${where()}`));
process.on('exit', () => out('exit ' + where()));
hook.enable();
setTimeout(() => { throw new Error('timer'); }, 1);
setTimeout(() => { setImmediate(() => { throw new Error('immediate'); }); process.nextTick(() => { throw new Error('tick'); }); }, 3);
setTimeout(() => { new ah.AsyncResource('R').runInAsyncScope(() => { throw new Error('scope'); }); }, 5);
