//! {"runtime":"node-16","seed":1,"limits":{"time":"1ms","callbacks":400,"steps":5000}}
const events = require('events'), util = require('util'), fs = require('fs'), loopsim = require('loopsim');
var t0 = setTimeout(f0, 2), t1 = setInterval(() => clearInterval(t1), 1), i0 = setImmediate(f0, 1), t2, i1, v0 = 1, v1 = {}, v2 = [], g0, g1, w0, w1;
var p0 = Promise.resolve(1), p1 = new Promise((y, n) => { w0 = y; w1 = n; }), p2 = Promise.reject(2);
var e0 = new events(), e1 = new events(); p2.catch(() => {});
function f0(...a) { console.log('f0', ...a); }
function f1(a) { if (typeof a === 'function') a(); return a; }
async function f2(a) { await a; console.log('f2'); return a; }
try { {  } } catch {}
try { if (undefined) { try { process.emit('warning', 0, { toString() { try { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); } catch {} return 'x'; } }); } catch {} try { process.stderr.write('x\n'); } catch {} } else {  } } catch {}
try { process.off('x', f0).removeAllListeners('newListener'); } catch {}
try { f1(f0); } catch {}
try { clearImmediate(i0); } catch {}
try { i1 = setImmediate(function f(a, b) { try { g0 = AbortSignal.timeout(0); g0.onabort = function* () { yield new Map([[0, 0]]); }; } catch {} return 0; }, e1); } catch {}
try { f1 = (async function f() { return 'SIGINT'; })(); } catch {}
try { import('./module.mjs').then(() => { throw null; }, async function h(a) { await a; try { (new (require('stream').Transform)({ objectMode: true, transform(c, e, d) { p0.catch(() => {}).finally(() => {}); d(null, c); }, flush(d) { d(); } })).pipe(process.stdout).on('finish', (a) => { console.log(a); try { fs.readFile('a.txt', () => {}); } catch {} try { delete globalThis.setTimeout; globalThis.Promise = 0; } catch {} }); } catch {} try { fs.readFile('large.bin', Object.defineProperty(() => {}, 'name', { get() { throw 1; } })); } catch {} }); } catch {}
try { { const s = new (require('async_hooks').AsyncLocalStorage)(); s.run(Proxy.revocable({}, {}).proxy, f2); s.enterWith(NaN); try { AbortSignal.any([g0, AbortSignal.abort()]).addEventListener('abort', function f(a, b) {  return -1; }); } catch {} s.exit(Object.defineProperty(() => {}, 'name', { get() { throw 1; } })); } } catch {}
try { require('timers/promises').setTimeout(0, Buffer.from('b'), { signal: g0 }).then(async () => {  }, undefined); } catch {}
try { eval({ a: -1 }); } catch {}
try { (async () => { for await (const v of [f2({ a: Buffer.from('b') }), t0]) { try { { try { require('timers/promises').setTimeout(1.5, Infinity, { signal: g0 }).then(Object.defineProperty(() => {}, 'name', { get() { throw 1; } }), Symbol('s')); } catch {} } } catch {} } })().catch(function* () { yield e1; }); } catch {}
