// destroy() at different moments, with and without an error.
const net = require('net');
const server = net.createServer((socket) => {
  socket.on('error', (error) => console.log('server', error.code));
  socket.on('end', () => console.log('server end'));
  socket.on('close', (hadError) => console.log('server close', hadError));
  socket.resume();
});
function steps(port) {
  const early = net.connect(port, '127.0.0.1');
  early.on('connect', () => console.log('never'));
  early.on('close', (hadError) => {
    console.log('early close', hadError);
    const failing = net.connect(port, '127.0.0.1', () => failing.destroy(new Error('enough')));
    failing.on('error', (error) => console.log('failing', error.message));
    failing.on('close', (had) => {
      console.log('failing close', had);
      console.log(failing.write('x', (error) => { console.log('write', error.code); server.close(() => console.log('closed')); }));
    });
  });
  early.destroy();
  console.log(early.destroyed, early.connecting);
}
server.listen(0, () => steps(server.address().port));
