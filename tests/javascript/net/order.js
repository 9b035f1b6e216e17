// Events of the network between timers, immediates and ticks.
const net = require('net');
const server = net.createServer((socket) => {
  console.log('connection');
  process.nextTick(() => console.log('tick of the connection'));
  setImmediate(() => console.log('immediate of the connection'));
  Promise.resolve().then(() => console.log('microtask of the connection'));
  socket.on('data', (data) => {
    console.log('data', String(data));
    setImmediate(() => console.log('immediate of the data'));
    process.nextTick(() => console.log('tick of the data'));
    socket.end();
    server.close();
  });
});
server.listen(0, () => {
  console.log('listening');
  const client = net.connect(server.address().port, '127.0.0.1');
  setImmediate(() => console.log('immediate of the start'));
  client.on('connect', () => setTimeout(() => client.write('x'), 5));
  client.resume();
});
process.nextTick(() => console.log('tick'));
