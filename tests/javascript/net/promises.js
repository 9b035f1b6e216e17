// async functions over sockets.
const net = require('net');
const { once } = require('events');
(async () => {
  const server = net.createServer(async (socket) => {
    for await (const chunk of socket) console.log('server', String(chunk));
    console.log('server: all');
  });
  server.listen(0);
  await once(server, 'listening');
  const client = net.connect(server.address().port, '127.0.0.1');
  await once(client, 'connect');
  client.write('a');
  await new Promise((resolve) => setTimeout(resolve, 5));
  client.end('b');
  await once(client, 'close');
  console.log('client closed');
  server.close();
  await once(server, 'close');
  console.log('done');
})();
