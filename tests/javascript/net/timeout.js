// setTimeout(): 'timeout' after silence, which data puts off.
const net = require('net');
const server = net.createServer((socket) => {
  socket.on('error', () => {});
  setTimeout(() => socket.write('a'), 20);
});
server.listen(0, () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  console.log(client.setTimeout(50, () => console.log('callback')) === client, client.timeout);
  client.on('data', () => console.log('data'));
  client.on('timeout', () => {
    console.log('timeout', client.destroyed);
    client.setTimeout(0);
    client.destroy();
    server.close();
  });
  client.on('close', () => console.log('close'));
});
for (const wrong of ['100', -1, Infinity]) {
  try { new net.Socket().setTimeout(wrong); } catch (error) { console.log(error.code, error.message); }
}
