// Writes after end(), and after the other side's end.
const net = require('net');
const server = net.createServer((socket) => {
  socket.end('bye');
  socket.resume();
  socket.on('close', () => server.close());
});
server.listen(0, () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.on('error', (error) => console.log('error', error.code, error.message));
  client.on('data', (data) => console.log('data', String(data)));
  client.on('end', () => {
    console.log('end', client.writable, client.writableEnded);
    console.log(client.write('late', (error) => console.log('callback', error && error.code)));
  });
  client.on('close', (hadError) => {
    console.log('close', hadError);
    client.write('much later', (error) => console.log('later', error.code));
    client.end((error) => console.log('end again', error && error.code));
  });
});
