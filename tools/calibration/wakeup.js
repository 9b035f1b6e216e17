'use strict';
// Measures the wake-up latency of a loop that sleeps in poll. Prints one JSON object.
//
//   node wakeup.js ROUNDS READ WRITE      descriptors of one pipe; the parent process has its write end too
//
// timer     timers that the loop sleeps for: nanoseconds from arming to the callback, minus the delay
// ready     messages that are ready before the loop polls: nanoseconds from then to the callback, without sleep
// pipe      messages of the parent, which records the time of each write: [number, time of the callback]
const fs = require('fs');
const net = require('net');
const { now, immediate } = require('./clock.js');

const [rounds, readEnd, writeEnd] = process.argv.slice(2).map(Number);
const warmUp = 30;
const size = 8; // bytes of a message, a number as text

// libuv's poll timeout is whole milliseconds from the moment of the poll. libuv rounds its clock down, so if a
// millisecond ends between arming and polling it sleeps one less; such samples are negative and discarded.
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
  else if (data.length === size) received.push([Number(data.toString()), at]); // not two at once: one did not wake us
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
  process.stdout.write('ready\n'); // from here on the parent writes, and closes the pipe after its last message
})();
