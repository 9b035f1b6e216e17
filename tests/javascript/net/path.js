// Sockets with a path.
const net = require('net');
const path = `/tmp/loopsim-net-path-${process.pid}.sock`;
const server = net.createServer((socket) => {
  console.log('connection', socket.remoteAddress, socket.address());
  socket.end('by path');
});
net.connect('/tmp/no-such-socket').on('error', (error) => console.log(error.message, error.code, error.address, error.port));
server.listen(path, () => {
  console.log(server.address() === path);
  const client = net.connect({ path });
  client.on('data', (data) => console.log(String(data)));
  client.on('close', () => server.close(() => console.log('closed')));
});
