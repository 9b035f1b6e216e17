// stdout only
// Nobody listens, and nobody listens to the error.
const net = require('net');
process.on('exit', (code) => console.log('exit', code));
net.connect({ port: 1, host: '127.0.0.1' }, () => console.log('connected')).on('close', () => console.log('close'));
