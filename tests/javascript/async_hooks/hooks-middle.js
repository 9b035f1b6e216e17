// virtual clock, stdout only, since 12. Hooks that are enabled and disabled while promises are under way, and numbers without hooks.
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
let resolve;
const p = new Promise((f) => { resolve = f; });
p.then(() => { out('1 ' + where()); hook.enable(); out('on ' + where()); })
  .then(() => {
    out('2 ' + where());
    hook.disable();
    Promise.resolve(1).then(() => out('3 ' + where()));
    setTimeout(() => {
      out('4 ' + new ah.AsyncResource('X').asyncId());
      Promise.resolve().then(() => out('5 ' + where()));
      out('6 ' + new ah.AsyncResource('X').asyncId());
      const before = ah.createHook({ before(id) { out('only before ' + id); } }).enable();
      (async () => { await 1; out('7 ' + where()); before.disable(); })();
    }, 1);
  });
(async () => { await p; out('await ' + where()); await p; out('await ' + where()); })();
resolve();
process.nextTick(() => out('tick ' + where()));
setImmediate(() => out('immediate ' + where()));
