// virtual clock, stdout only, since 12. What an exception leaves behind for what nobody has begun.
const { AsyncLocalStorage } = require('async_hooks');
const { MessageChannel } = require('worker_threads');
const s = new AsyncLocalStorage();
const out = (...a) => console.log(...a, '|', s.getStore());
process.on('uncaughtException', (e) => out('uncaught', e.message));
process.on('unhandledRejection', (e) => { out('rejection', e.message); if (e.message === 'thrown on') throw new Error('by a listener'); });
process.once('beforeExit', () => { out('beforeExit'); s.enterWith('B'); });
process.on('exit', () => out('exit'));
const net = require('net');
// An accepted socket has the context in which nothing of the program runs.
const server = net.createServer((c) => { c.on('data', (d) => { out('base', String(d)); c.end(); }); });
const ask = (text, then) => { const c = net.connect(server.address().port, () => c.write(text)); c.resume(); c.on('close', then); };
server.listen(0, '127.0.0.1', () => {
  const kinds = [
    ['timer', () => setTimeout(() => { throw new Error('timer'); }, 1)],
    ['run in a timer', () => setTimeout(() => { s.run('inner', () => { throw new Error('run in a timer'); }); }, 1)],
    ['entered in a timer', () => setTimeout(() => { s.enterWith('entered'); throw new Error('entered in a timer'); }, 1)],
    ['immediate', () => setImmediate(() => { throw new Error('immediate'); })],
    ['microtask', () => queueMicrotask(() => { throw new Error('microtask'); })],
    ['fs', () => require('fs').stat('.', () => { throw new Error('fs'); })],
    ['rejection', () => { Promise.reject(new Error('rejection')); }],
    ['thrown on', () => { Promise.reject(new Error('thrown on')); }],
    ['thenable', () => { Promise.resolve().then(() => ({ then(done) { out('then()'); done(); } })).then(() => out('thenable')); }],
    ['port', () => { const { port1, port2 } = new MessageChannel(); port2.on('message', () => { port2.close(); throw new Error('port'); }); port1.postMessage(1); }],
    ['tick', () => process.nextTick(() => { throw new Error('tick'); })],
  ];
  const next = () => {
    if (kinds.length === 0) return void server.close();
    const [name, run] = kinds.shift();
    s.run(name, run);
    setTimeout(() => ask(`after ${name}`, next), 10);
  };
  s.exit(next);
});
