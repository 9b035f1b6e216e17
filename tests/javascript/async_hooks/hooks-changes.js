// virtual clock, stdout only, since 12. Several hooks, that change each other while they are told.
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
const make = (name, more) => ah.createHook(Object.assign({
  init(id, type) { out(`${name} init ${type} ${id}`); },
  before(id) { out(`${name} before ${id}`); },
  after(id) { out(`${name} after ${id}`); },
  destroy(id) { out(`${name} destroy ${id}`); },
}, more));
setTimeout(() => {
  out('t1 ' + where());
  const a = make('a');
  a.enable();
  a.enable();
  setImmediate(() => {
    out('immediate');
    const b = make('b', { init(id, type) { out('b init ' + type); a.disable(); } });
    b.enable();
    process.nextTick(() => out('tick 1'));
    process.nextTick(() => out('tick 2'));
    b.disable();
    const d = make('d');
    const c = make('c', { before(id) { out('c before'); d.enable(); }, init: undefined });
    c.enable();
    setTimeout(() => {
      out('t2');
      c.disable();
      d.disable();
      setTimeout(() => {
        out('t3 ' + where());
        const p = Promise.resolve(1);
        p.then(() => { make('e').enable(); p.then(() => out('reaction with hooks')); }).then(() => out('next'));
      }, 1);
    }, 1);
  });
}, 1);
