// Channels, and those that trace an operation: Node's own file.
const dc = require('diagnostics_channel');
const ch = dc.channel('x');
console.log(ch.hasSubscribers, ch.name, dc.hasSubscribers('x'));
function f(m, n) { console.log('got', m, n); }
dc.subscribe ? dc.subscribe('x', f) : ch.subscribe(f);
console.log(ch.hasSubscribers);
ch.publish({ a: 1 });
try { dc.channel(1); } catch (e) { console.log(e.code, e.message); }
console.log(ch.constructor.name, Object.keys(ch), Object.keys(dc));
if (dc.tracingChannel) {
  const t = dc.tracingChannel('op');
  t.subscribe({ start(m) { console.log('start', m); }, end(m) { console.log('end', m); }, asyncStart(m) { console.log('as', m); }, asyncEnd(m) { console.log('ae', m); }, error(m) { console.log('err', m); } });
  t.traceSync(() => console.log('run'), { x: 1 });
  t.tracePromise(async () => { await null; return 7; }, { y: 1 }).then((v) => console.log('v', v));
  t.traceCallback((cb) => setImmediate(cb, null, 8), -1, { z: 1 }, null, (e, v) => console.log('cb', e, v));
}
ch.subscribe(() => { throw new Error('boom'); });
process.on('uncaughtException', (e) => console.log('uncaught', e.message));
ch.publish('two');
console.log('after');
