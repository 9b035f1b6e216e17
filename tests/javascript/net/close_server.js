// close() waits for the connections; getConnections(), unref(), maxConnections.
const net = require('net');
const server = net.createServer();
server.maxConnections = 1;
let first;
server.on('connection', (socket) => {
  console.log('connection', socket.server === server);
  first = socket;
  server.getConnections((error, count) => {
    console.log('connections', error, count);
    server.close((failure) => console.log('closed', failure));
    console.log('listening', server.listening, server.address());
    setTimeout(() => { console.log('ends'); first.end(); }, 5);
  });
});
server.on('close', () => console.log('close'));
server.on('listening', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.on('end', () => console.log('client end'));
  client.resume();
});
server.listen(0);
const never = net.createServer();
never.close((error) => console.log(error.code, error.message));
const unref = net.createServer().listen(0, () => console.log('unref listens')).unref();
