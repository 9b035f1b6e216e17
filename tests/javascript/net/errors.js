// Errors of connections and servers, as they are printed.
const net = require('net');
const refused = net.connect(1, '127.0.0.1');
refused.on('error', (error) => {
  console.log(error.message, error.code, error.syscall, error.address, error.port, error.errno);
  console.log(Object.keys(error));
});
refused.on('close', (hadError) => {
  console.log('close', hadError, refused.destroyed, refused.connecting);
  const server = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    const second = net.createServer();
    second.on('error', (error) => {
      console.log(error.message.replace(port, 'PORT'), error.code, error.syscall, second.listening);
      server.close();
    });
    second.listen(port, '127.0.0.1');
  });
});
for (const wrong of [() => net.connect(), () => net.connect({ port: 'x' }), () => net.connect({ port: 70000 }), () => net.connect({ port: {} }),
  () => net.createServer().listen({}), () => net.createServer().listen(-1), () => net.createServer(5), () => net.connect({ port: 1, lookup: 5 })]) {
  try { wrong(); console.log('nothing'); } catch (error) { console.log(error.name, error.code, error.message); }
}
