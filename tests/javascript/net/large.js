// More than the kernel holds: write() says so, and 'drain' follows when the other side has read.
const net = require('net');
let received = 0;
const server = net.createServer((socket) => {
  socket.pause();
  socket.on('data', (data) => { received += data.length; });
  socket.on('end', () => { console.log('received', received); server.close(); });
  setTimeout(() => { console.log('reads'); socket.resume(); }, 50);
});
server.listen(0, () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    const chunk = Buffer.alloc(1024 * 1024);
    let count = 0;
    while (client.write(chunk)) count++;
    console.log(count < 40);
    for (; count < 40; count++) client.write(chunk);
    client.once('drain', () => { console.log('drain', client.writableLength); client.end(); });
  });
});
