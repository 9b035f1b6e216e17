// virtual clock, stdout only. Sockets with a time after which nothing has happened.
'use strict';
const net = require('net');
const server = net.createServer((c) => { c.resume(); c.on('end', () => console.log('end')); c.on('error', () => {}); server.close(() => console.log('server closed')); });
server.listen(0, '127.0.0.1', () => {
  const s = net.connect(server.address().port, '127.0.0.1');
  s.setTimeout(50, () => { console.log('timeout'); s.setTimeout(0); s.end(); });
  s.on('close', () => console.log('close'));
  s.write('x');
  setTimeout(() => s.write('y'), 30);
  setTimeout(() => console.log('60 ms'), 60);
  setTimeout(() => console.log('79 ms'), 79);
  setTimeout(() => console.log('81 ms'), 81);
  s.resume();
});
