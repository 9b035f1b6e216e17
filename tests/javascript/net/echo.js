// A server that answers: the order of all events on both sides.
const net = require('net');
const server = net.createServer((socket) => {
  console.log('connection');
  socket.on('data', (data) => { console.log('server data', String(data)); socket.write(`echo ${data}`); });
  socket.on('end', () => { console.log('server end'); });
  socket.on('close', (hadError) => { console.log('server close', hadError); server.close(() => console.log('server closed')); });
});
server.listen(0, '127.0.0.1', () => {
  console.log('listening', server.listening, typeof server.address().port, server.address().family);
  const client = net.connect(server.address().port, '127.0.0.1');
  client.setEncoding('utf8');
  for (const event of ['connect', 'ready', 'end', 'finish', 'close']) client.on(event, () => console.log('client', event));
  client.on('data', (text) => { console.log('client data', text); client.end(); });
  console.log(client.connecting, client.readyState, client.pending);
  client.write('hello', () => console.log('client written', client.bytesWritten));
});
