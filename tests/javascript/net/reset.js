// resetAndDestroy(): the other side gets ECONNRESET.
const net = require('net');
const server = net.createServer((socket) => {
  socket.on('error', (error) => console.log('server', error.code, error.syscall));
  socket.on('close', (hadError) => { console.log('server close', hadError); server.close(); });
  socket.resume();
});
server.listen(0, () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => setTimeout(() => client.resetAndDestroy(), 5));
  client.on('error', (error) => console.log('client', error.code));
  client.on('close', (hadError) => console.log('client close', hadError));
});
new net.Socket().on('error', (error) => console.log(error.code)).resetAndDestroy();
