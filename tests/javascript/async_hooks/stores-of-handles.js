// virtual clock, stdout only, since 12. Ports, servers and sockets.
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const { MessageChannel } = require('worker_threads');
const s = new AsyncLocalStorage();
const out = (...a) => console.log(...a, '|', s.getStore());
process.on('uncaughtException', (e) => out('uncaught', e.message));
const net = require('net');
const { port1, port2 } = s.run('channel', () => new MessageChannel());
let k = 0;
s.run('listener', () => port2.on('message', (m) => { out('message', m); s.enterWith('m' + m); if (m === 2) throw new Error('in message'); if (m === 3) port2.close(); }));
port2.on('close', () => out('close port'));
s.run('poster', () => { port1.postMessage(1); port1.postMessage(2); setTimeout(() => port1.postMessage(3), 5); });
s.run('server', () => {
  const server = net.createServer((c) => { out('connection'); s.enterWith('conn'); c.on('data', (d) => { out('data', String(d)); s.enterWith('data' + d); c.write(d); }); c.on('end', () => { out('end'); c.end(); server.close(() => out('server closed')); }); c.on('close', () => out('close c')); });
  server.listen(0, () => { out('listening'); s.enterWith('L');
    s.run('client', () => {
      const c = net.connect(server.address().port, () => { out('connected'); s.enterWith('C'); c.write('1'); setTimeout(() => c.write('2'), 10); setTimeout(() => c.end(), 20); });
      c.on('data', (d) => { out('client data', String(d)); s.enterWith('cd' + d); if (String(d) === '2') throw new Error('client'); });
      c.on('close', () => out('client close'));
      c.setTimeout(1000, () => out('timeout'));
    });
  });
});
