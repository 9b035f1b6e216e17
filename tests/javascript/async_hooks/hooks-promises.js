// virtual clock, stdout only, since 12. What hooks are told of promises.
const ah = require('async_hooks');
const fs = require('fs');

let depth = 0;
const out = (text) => fs.writeSync(1, `${'  '.repeat(Math.max(0, depth))}${text}\n`);
const where = () => `execution ${ah.executionAsyncId()}, trigger ${ah.triggerAsyncId()}`;
const hook = ah.createHook({
  init(id, type, trigger) { out(`init ${type} ${id}, trigger ${trigger}, ${where()}`); },
  before(id) { out(`before ${id}, ${where()}`); depth++; },
  after(id) { depth--; out(`after ${id}, ${where()}`); },
  promiseResolve(id) { out(`resolve ${id}, ${where()}`); },
});
hook.enable();
new Promise((resolve) => { out('executor'); resolve(1); });
Promise.reject(1).catch(() => out('catch'));
const p = Promise.resolve(1);
p.then(() => { out('then 1'); return 2; }).then(() => out('then 2'));
new Promise((resolve) => resolve({ then(f) { out('thenable ' + where()); f(1); } }));
new Promise((resolve) => resolve(p));
if (p.finally) p.finally(() => out('finally'));
Promise.all([p, 2]).then(() => out('all'));
class Sub extends Promise {}
Sub.resolve(1).then(() => out('sub'));
p.then(() => { throw new Error('thrown'); }).catch(() => out('caught'));
