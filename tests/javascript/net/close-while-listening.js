// virtual clock, stdout only. A server that is closed, or asked again, before it listens.
'use strict';
const net = require('net');
const told = (name, error) => console.log(name, error && (error.code || error.message));
const a = net.createServer();
a.listen(0, '127.0.0.1', () => { console.log('a listening'); a.close(); });
a.close((error) => told('a closed', error));
setTimeout(() => {
  const b = net.createServer();
  b.on('error', (error) => told('b', error));
  b.listen(0, 'localhost', () => { console.log('b listening', b.listening); b.close(() => console.log('b closed again')); });
  b.close((error) => told('b closed', error));
}, 10);
setTimeout(() => {
  const c = net.createServer();
  c.listen(0, () => {
    console.log('c listening');
    try {
      c.listen(0, () => console.log('c again'));
    } catch (error) {
      told('c', error);
    }
    c.close();
  });
}, 20);
setTimeout(() => {
  const d = net.createServer();
  d.on('listening', () => console.log('d listening'));
  d.listen(0, '127.0.0.1', () => console.log('d one'));
  d.listen(0, '127.0.0.1', () => console.log('d two'));
  setTimeout(() => d.close(() => console.log('d closed')), 5);
}, 30);
