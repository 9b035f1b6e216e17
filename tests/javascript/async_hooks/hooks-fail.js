// virtual clock, stdout only, since 12. An error of a hook ends the process.
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
process.on('exit', (code) => out(`exit ${code} ${where()}`));
process.on('uncaughtException', () => out('uncaught'));
ah.createHook({ init(id, type) { if (type === 'Timeout') throw new Error('from the hook'); } }).enable();
try { setTimeout(() => {}, 1); } catch (e) { out('caught'); }
out('not reached');
