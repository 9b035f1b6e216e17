// virtual clock, stdout only, since 12. What hooks are told of async functions: also of the promises that only await makes.
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
const p = Promise.resolve(1);
(async () => { await 1; out('value ' + where()); return 2; })();
(async () => { await p; out('promise ' + where()); })();
(async () => { await { then(f) { out('then'); f(1); } }; out('thenable'); })();
(async () => p)();
(async () => {})();
(async () => { throw 1; })().catch(() => {});
(async () => { try { await Promise.reject(1); } catch (e) { out('caught ' + where()); } })();
(async () => { await (async () => { await 1; out('inner'); })(); out('outer'); })();
async function* generator() { out('generator'); yield 1; await 2; out('after await'); yield p; return 3; }
(async () => {
  for await (const x of generator()) out('value ' + x);
  for await (const x of [1, p]) out('value ' + x);
  const it = generator();
  await it.next();
  await it.return(5);
})();
