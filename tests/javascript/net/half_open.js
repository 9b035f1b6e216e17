// allowHalfOpen: a side that has ended still hears the other one.
const net = require('net');
const server = net.createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('data', (data) => console.log('server data', String(data)));
  socket.on('end', () => {
    console.log('server end', socket.writable, socket.readyState);
    setTimeout(() => socket.end('later'), 2);
  });
  socket.on('close', () => { console.log('server close'); server.close(); });
});
server.listen(0, () => {
  const client = net.connect({ port: server.address().port, host: '127.0.0.1' });
  client.on('connect', () => client.end('question'));
  client.on('finish', () => console.log('client finish', client.readyState));
  client.on('data', (data) => console.log('client data', String(data)));
  client.on('end', () => console.log('client end', client.readyState));
  client.on('close', () => console.log('client close', client.readyState));
});
