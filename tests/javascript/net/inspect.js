// What require('net') has.
const net = require('net');
console.log(Object.keys(net).filter((name) => !name.startsWith('_') && !['BlockList', 'SocketAddress', 'BoundSocket'].includes(name)).sort().join());
const socket = new net.Socket();
console.log(socket.connecting, socket.destroyed, socket.readyState, socket.pending, socket.allowHalfOpen, socket.bytesRead, socket.remoteAddress, socket.address());
const server = new net.Server();
console.log(server.listening, server.address(), server.maxConnections, server.allowHalfOpen, server.pauseOnConnect);
console.log(net.Server() instanceof net.Server, net.Socket() instanceof net.Socket, server.ref() === server, server.unref() === server);
