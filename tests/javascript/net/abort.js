// Signals of servers and sockets.
const net = require('net');
const controller = new AbortController();
const server = net.createServer();
server.on('close', () => console.log('server close'));
server.listen({ port: 0, signal: controller.signal }, () => {
  const own = new AbortController();
  const client = net.connect({ port: server.address().port, host: '127.0.0.1', signal: own.signal });
  client.on('error', (error) => console.log('error', error.name, error.code));
  client.on('connect', () => { console.log('connect'); own.abort(); console.log(client.destroyed); });
  client.on('close', (hadError) => { console.log('close', hadError); controller.abort(); });
});
