// Addresses that are blocked, and the name of a server in the file system.
'use strict';

const net = require('net');
const fs = require('fs');

const list = new net.BlockList();
list.addAddress('127.0.0.1');
list.addRange('10.0.0.1', '10.0.0.9');
list.addSubnet('8592:757c:efae:4e45::', 64, 'ipv6');
for (const [address, family] of [
  ['127.0.0.1'], ['::ffff:127.0.0.1', 'ipv6'], ['10.0.0.9'], ['10.0.0.10'], ['8592:757c:efae:4e45::1', 'ipv6'], ['::1', 'ipv6'], ['x'],
]) console.log(address, list.check(address, family));
console.log([...list.rules].sort());

function tryIt(fn) {
  try {
    console.log(fn());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
tryIt(() => list.addAddress('x'));
tryIt(() => list.addAddress(1));
tryIt(() => list.addRange('1.1.1.2', '1.1.1.1'));
tryIt(() => list.addSubnet('1.1.1.1', 33));
tryIt(() => new net.SocketAddress({ family: 'ipv6', port: 8, flowlabel: 3 }));
tryIt(() => net.connect({ port: 1, host: 'localhost', hints: 12345 }));

const path = `/tmp/loopsim-blocklist-${process.pid}.sock`;
const atPath = net.createServer().listen(path, () => {
  console.log('a socket', fs.statSync(path).isSocket());
  net.createServer().listen(path).on('error', (error) => {
    console.log(error.code);
    atPath.close(() => {
      console.log('there', fs.existsSync(path));
      blocked();
    });
  });
});

function blocked() {
  const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    const socket = net.connect({ port, host: '127.0.0.1', blockList: list });
    socket.on('error', (error) => console.log(error.code, error.message));
    socket.resume().on('close', () => {
      net.connect({ port: 1, host: '127.0.0.1', localPort: port }).on('error', (error) => {
        console.log(error.code, error.message.replace(/\d{4,}/, 'PORT'));
        server.close();
      });
    });
  });
}
