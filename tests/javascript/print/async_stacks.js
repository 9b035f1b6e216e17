// The async functions that wait for what throws, and for one another.
'use strict';
function clean(e) { return e.stack.split('\n').slice(1).filter(l => !/node:|internal\/|\((module|timers|events|bootstrap_node|node|vm|async_hooks)\.js|processTicks|runMicrotasks|<anonymous>\)$/.test(l) || /async Promise/.test(l)).map(l => l.trim().replace(/\(?(file:\/\/)?\/.*\/(?=[^/]*$)/, (m) => m[0] === '(' ? '(' : '')).join(' | '); }
async function a() { await 1; throw new Error('x'); }
async function b() { await a(); }
async function c() { return await b(); }
async function d() { return b(); }
const o = { async m() { await b(); }, async arrow() { await (async () => { await b(); })(); }, async *gen() { yield await b(); } };
class K { async m() { await b(); } static async s() { await b(); } }
const run = async (name, f) => { try { await f(); } catch (e) { console.log(name, '::', clean(e)); } };
(async () => {
  await run('b', b); await run('c', c); await run('d', d); await run('o.m', () => o.m()); await run('arrow', () => o.arrow()); await run('K.m', () => new K().m()); await run('K.s', () => K.s());
  await run('all', () => Promise.all([1, b()])); await run('all2', async () => { await Promise.all([Promise.resolve(), 2, b()]); }); await run('race', async () => { await Promise.race([b()]); }); await run('allSettled', async () => { const r = await Promise.allSettled([b()]); throw r[0].reason; });
  if (Promise.any) await run('any', async () => { try { await Promise.any([b()]); } catch (e) { throw e.errors[0]; } });
  await run('then', async () => { await Promise.resolve().then(() => { throw new Error('t'); }); }); await run('then2', async () => { await b().then((x) => x); }); await run('then3', async () => { await Promise.resolve().then(async () => { await b(); }); }); await run('finally', async () => { await b().finally(() => {}); });
  await run('gen', async () => { for await (const x of o.gen()) void x; }); await run('gen2', async () => { await o.gen().next(); });
  await run('timer', async () => { await new Promise((r, j) => setTimeout(() => j(new Error('t')), 1)); }); await run('after timer', async () => { await new Promise((r) => setTimeout(r, 1)); throw new Error('t'); });
  await run('sync', async () => { throw new Error('t'); }); await run('sync fn', async () => { (function f() { throw new Error('t'); })(); }); await run('two waiters', async () => { const p = b(); p.catch(() => {}); await p; });
  await run('qm', () => new Promise((r, j) => queueMicrotask(() => j(new Error('q'))))); await run('nt', () => new Promise((r, j) => process.nextTick(() => j(new Error('q')))));
  await run('fn', async function named() { await b(); }); await run('await in args', async () => { (function g() {})(await b()); }); await run('deep', async () => { const f = async (n) => { if (n === 0) { await 0; throw new Error('deep'); } await f(n - 1); }; await f(12); });
  await run('new', async () => { await new (class { constructor() { return b(); } })(); }); await run('thenable', async () => { await { then(r, j) { j(new Error('th')); } }; }); await run('thenable2', async () => { await { then(r) { r(); } }; throw new Error('th'); });
  await run('for await sync', async () => { for await (const x of [b()]) void x; }); await run('yield*', async () => { async function* g() { yield* o.gen(); } await g().next(); }); await run('getter', async () => { const q = { get z() { return b(); } }; await q.z; });
})();
