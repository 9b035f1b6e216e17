// pauseOnConnect, pause() and resume(): data waits.
const net = require('net');
const server = net.createServer({ pauseOnConnect: true }, (socket) => {
  console.log('paused', socket.isPaused(), socket.readableFlowing);
  socket.on('data', (data) => console.log('data', String(data)));
  socket.on('end', () => { console.log('end'); server.close(); });
  setTimeout(() => { console.log('resume', socket.bytesRead); socket.resume(); }, 10);
});
server.listen(0, () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    client.write('a');
    client.write('b');
    client.end('c');
  });
});
