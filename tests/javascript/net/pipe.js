// Sockets as streams: pipe, pipeline, for await, instanceof.
const net = require('net');
const { Duplex, Transform, pipeline } = require('stream');
const server = net.createServer((socket) => {
  const upper = new Transform({ transform(chunk, encoding, callback) { callback(null, String(chunk).toUpperCase()); } });
  pipeline(socket, upper, socket, (error) => { console.log('pipeline', error ? error.code : 'done'); server.close(); });
});
server.listen(0, async () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  console.log(client instanceof Duplex, client instanceof net.Socket, net.Socket === net.Stream);
  client.write('some ');
  client.end('words');
  let text = '';
  for await (const chunk of client) text += chunk;
  console.log(text, client.destroyed);
});
