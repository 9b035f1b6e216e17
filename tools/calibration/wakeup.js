'use strict';
// Measures how long a loop that sleeps in its poll takes to run after something has become ready. Prints one JSON object.
//
//   node wakeup.js ROUNDS READ WRITE      descriptors of one pipe; the parent process has its writing end, too
//
// timer     timers that the loop sleeps for: nanoseconds from arming to the callback, less the delay
// ready     messages that are there already when the loop polls: nanoseconds from there to the callback, a way without any sleep
// pipe      messages of the parent, which notes when it wrote each: [number, time of the callback]
const fs = require('fs');
const net = require('net');
const { now, immediate } = require('./clock.js');

const [rounds, readEnd, writeEnd] = process.argv.slice(2).map(Number);
const warmUp = 30;
const size = 8; // of a message: a number as text

// libuv asks the system to sleep for whole milliseconds from the moment of the poll. It rounds its own clock down, so when a
// millisecond ends between arming and polling it sleeps one less; such samples are negative, and left out.
const timer = (delay) => new Promise((resolve) => setImmediate(() => {
  const begin = now();
  setTimeout(() => resolve(now() - begin - delay * 1e6), delay);
}));

const messages = new net.Socket({ fd: readEnd, readable: true, writable: false });
const received = [];
let onMessage = null;
messages.on('data', (data) => {
  const at = now();
  if (onMessage) onMessage(at);
  else if (data.length === size) received.push([Number(data.toString()), at]); // two at once: one of them did not wake us
});

const ready = () => new Promise((resolve) => setImmediate(() => {
  const text = '-'.repeat(size);
  onMessage = (at) => resolve(at - begin);
  fs.writeSync(writeEnd, text);
  const begin = now();
}));

(async () => {
  const result = { timer: [], ready: [] };
  for (let round = -warmUp; round < rounds; ++round) {
    await immediate();
    const ofReady = await ready();
    if (round >= 0) result.ready.push(ofReady);
  }
  fs.closeSync(writeEnd);
  onMessage = null;
  for (let round = -warmUp; round < rounds; ++round) {
    const sample = await timer(1 + (round + warmUp) % 3);
    if (round >= 0 && sample >= 0) result.timer.push(sample);
  }
  messages.on('end', () => process.stdout.write(`${JSON.stringify(Object.assign(result, { pipe: received }))}\n`));
  process.stdout.write('ready\n'); // from here on the parent writes, and ends the pipe when it has had enough
})();
