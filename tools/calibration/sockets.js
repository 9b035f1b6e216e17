'use strict';
// What Node's sockets cost: nanoseconds of a connection over the loopback, both sides in this process, from connecting to its end, beside
// the 2 ms for which the server computes. Nobody waits, so it is the thread's CPU. Of code as it usually is: between two requests the
// program has done something else, and a server that has served some hundred is as usual as one that has served millions. Prints JSON.
//
//   node sockets.js CONNECTIONS
const net = require('net');
const { now, calculate } = require('./clock.js');

const wanted = Number(process.argv[2]);
const warmUp = 20;
const computed = 2e6;
const samples = [];

const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', () => {
    calculate(computed);
    socket.end('answer');
  });
});

function connect() {
  const begin = now();
  const client = net.connect(server.address().port, '127.0.0.1', () => client.write('question'));
  client.on('data', () => {});
  client.on('close', () => {
    samples.push(now() - begin - computed);
    if (samples.length < wanted + warmUp) return setImmediate(connect);
    server.close();
    process.stdout.write(`${JSON.stringify({ connection: samples.slice(warmUp) })}\n`);
  });
}

server.listen(0, '127.0.0.1', connect);
