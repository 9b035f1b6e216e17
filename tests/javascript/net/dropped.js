// maxConnections: a connection too many is dropped.
const net = require('net');
const server = net.createServer((socket) => { console.log('connection'); socket.resume(); });
server.maxConnections = 1;
server.on('drop', (data) => console.log('drop', Object.keys(data).sort().join(), data.localAddress));
server.listen(0, '127.0.0.1', () => {
  const one = net.connect(server.address().port, '127.0.0.1', () => {
    console.log('one');
    const two = net.connect(server.address().port, '127.0.0.1');
    two.on('error', (error) => console.log('two', error.code));
    two.on('end', () => console.log('two: end'));
    two.on('close', () => { console.log('two: close'); one.end(); server.close(() => console.log('closed')); });
    two.resume();
  });
});
