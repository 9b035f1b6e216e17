// virtual clock, stdout only, since 12. What hooks are told of timers, immediates, ticks, microtasks, promises and resources, and when of what is destroyed.
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
hook.enable();
setTimeout(() => { out('timeout'); Promise.resolve().then(() => out('reaction ' + where())); }, 5);
const interval = setInterval(() => { out('interval'); if (++n === 2) clearInterval(interval); }, 7);
let n = 0;
setImmediate(() => { out('immediate'); clearImmediate(setImmediate(() => {})); process.nextTick(() => out('tick')); });
process.nextTick(() => { out('tick 1'); process.nextTick(() => out('tick 2')); });
queueMicrotask(() => out('microtask ' + where()));
const timer = setTimeout(() => { out('refreshes'); if (timer.refresh && ++m < 2) timer.refresh(); clearTimeout(setTimeout(() => {}, 1)); }, 3);
let m = 0, kept;
{
  const resource = new ah.AsyncResource('OWN');
  resource.runInAsyncScope(() => out('own ' + where() + (resource.asyncId() === ah.executionAsyncId())));
  resource.emitDestroy();
  kept = new ah.AsyncResource('OTHER', { triggerAsyncId: 1, requireManualDestroy: true });
}
