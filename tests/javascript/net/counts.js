// bytesRead and bytesWritten, with writes that wait for the connection; addresses.
const net = require('net');
const server = net.createServer((socket) => {
  socket.on('data', () => {});
  socket.on('end', () => {
    console.log('read', socket.bytesRead, socket.remoteAddress, socket.remoteFamily, typeof socket.remotePort, socket.localAddress);
    server.close();
  });
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  console.log(client.remoteAddress, client.address());
  client.write('häh');
  client.write(Buffer.alloc(5));
  console.log(client.bytesWritten, client.writableLength);
  client.on('connect', () => {
    console.log(client.remoteAddress, client.remoteFamily, client.remotePort === server.address().port, client.localAddress, client.bytesWritten);
    client.end('x');
  });
  client.on('close', () => console.log('written', client.bytesWritten, client.bytesRead, client.remoteAddress));
});
