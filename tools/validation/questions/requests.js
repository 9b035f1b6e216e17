'use strict';
// Twenty clients connect at once, ask, and wait for the answer, which takes 2 ms to compute.
const net = require('net');
const { performance } = require('perf_hooks');
const { cpu } = require('loopsim');

const seen = [];

const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', () => {
    cpu(2);
    socket.end('answer');
  });
});

function round(number) {
  let waiting = 20;
  const start = performance.now();
  for (let i = 0; i < 20; i++) {
    const client = net.connect(server.address().port, '127.0.0.1', () => client.write('ask'));
    client.on('data', () => seen.push({ latency: performance.now() - start }));
    client.on('close', () => {
      if (--waiting > 0) return;
      if (number < 20) return setTimeout(round, 17, number + 1);
      server.close();
      for (const one of seen.slice(20)) console.log(JSON.stringify(one)); // the first round only warms up
    });
  }
}

server.listen(0, '127.0.0.1', () => round(0));
