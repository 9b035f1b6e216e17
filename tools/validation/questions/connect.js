'use strict';
// Whoever asks is answered after a look into a database: a connection to it is given up after 50 ms, and meanwhile the program computes,
// 20 ms on average. The database answers at once. How many times has the loop to look once more, by setImmediate, before it is seen?
const net = require('net');
const { cpu } = require('loopsim');

const kQuestions = 250;
const seen = [];
let random = 1; // the same times in every run (Park and Miller 1988)

// Exponential, 20 ms on average.
function job() {
  random = (random * 48271) % 2147483647;
  return -20 * Math.log(random / 2147483647);
}

// Tells after how many looks a connection is there that is not there in time; 0: it was in time.
function connect(host, tell) {
  let looks = 0;
  const socket = net.connect({ port: database.address().port, host, family: 4 }, () => {
    clearTimeout(timer);
    socket.end();
    tell(looks);
  });
  const timer = setTimeout(function look() {
    if (++looks < 4) setImmediate(look);
  }, 50);
}

function answer(question) {
  const one = {};
  const told = () => {
    if (one.address === undefined || one.name === undefined) return;
    seen.push(one);
    question.write('answer');
  };
  connect('127.0.0.1', (looks) => {
    Object.assign(one, { address: looks > 0, addressOnce: looks > 1 });
    told();
  });
  connect('localhost', (looks) => {
    Object.assign(one, { name: looks > 0, nameOnce: looks > 1, nameTwice: looks > 2 });
    told();
  });
  cpu(job());
}

const database = net.createServer((socket) => socket.resume()).listen(0, '127.0.0.1', () => {
  const server = net.createServer((socket) => socket.on('data', () => answer(socket))).listen(0, '127.0.0.1', () => {
    const asker = net.connect(server.address().port, '127.0.0.1', () => asker.write('question'));
    asker.on('data', () => {
      if (seen.length < kQuestions) return setTimeout(() => asker.write('question'), 20);
      for (const one of seen.slice(10)) console.log(JSON.stringify(one));
      process.exit();
    });
  });
});
