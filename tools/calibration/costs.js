'use strict';
// Measures what the loop itself costs: prints one JSON object, probe -> nanoseconds of one operation, one number a round.
//
//   node costs.js ROUNDS
//
// A sample is the time of a batch of equal operations, divided by their number, with the time of reading the clock taken off. The
// batches are short, so that most of them run without being interrupted; the parent process takes medians.
const fs = require('fs');
const { now, spin, immediate } = require('./clock.js');

const rounds = Number(process.argv[2]);
const warmUp = 100; // rounds whose samples are thrown away: until the JIT has compiled all of this
const spinning = ['timerCallback', 'poolCallback', 'lost']; // need fewer: they take milliseconds, which is enough for the JIT
const batch = 500;
const requests = 64; // operations of the thread pool that end together

// ---- probes: each resolves to the time of one operation, or to undefined when the round does not count -------------------------

const clockReading = async () => {
  const begin = now();
  for (let i = 1; i < batch; ++i) now();
  return (now() - begin) / batch;
};

// A chain: each operation asks for the next one, so a sample is both asking and being called.
const chain = (ask) => (readTime) => new Promise((resolve) => {
  let left = batch;
  let begin;
  const step = () => {
    if (--left > 0) ask(step);
    else resolve((now() - begin - readTime) / batch);
  };
  setImmediate(() => {
    begin = now();
    ask(step);
  });
});

const settled = Promise.resolve();
const tick = chain((step) => process.nextTick(step));
const microtask = chain((step) => { settled.then(step); });
const turn = chain((step) => setImmediate(step)); // an immediate set by an immediate runs in the next turn

// Callbacks that are ready together run one after the other in one phase: from the first one's beginning to the last one's.
const together = (count, prepare) => (readTime) => new Promise((resolve) => {
  let called = 0;
  let begin;
  let samePhase = true;
  const callback = () => {
    ++called;
    if (called === 1) {
      begin = now();
      setImmediate(() => { samePhase = false; });
    } else if (called === count) {
      const sample = (now() - begin - readTime) / (count - 1);
      resolve(samePhase ? sample : undefined); // not all were ready: the loop went round, perhaps slept, in between
    }
  };
  setImmediate(() => prepare(callback));
});

const immediateCallback = together(batch, (callback) => {
  for (let i = 0; i < batch; ++i) setImmediate(callback);
});
const timerCallback = together(batch, (callback) => {
  for (let i = 0; i < batch; ++i) setTimeout(callback, 1);
  spin(2.5e6); // all are due when the loop looks
});
const poolCallback = together(requests, (callback) => {
  for (let i = 0; i < requests; ++i) fs.access('/', callback);
  spin(2.5e6); // the pool has done them all
});

const timers = new Array(batch);
const nothing = () => {};
const armTimer = async (readTime) => {
  const begin = now();
  for (let i = 0; i < batch; ++i) timers[i] = setTimeout(nothing, 60000);
  const sample = (now() - begin - readTime) / batch;
  timers.forEach((timer) => clearTimeout(timer));
  return sample;
};

// The share of time that something else had: what is missing between readings of the clock that follow one another closely.
const lost = async () => {
  const begin = now();
  let last = begin;
  let missing = 0;
  while (last - begin < 5e6) {
    const next = now();
    if (next - last > 10e3) missing += next - last;
    last = next;
  }
  return missing / (last - begin);
};

// -----------------------------------------------------------------------------------------------------------------------------

const probes = { clockReading, tick, microtask, immediateCallback, timerCallback, poolCallback, turn, armTimer, lost };

(async () => {
  const samples = {};
  for (const name of Object.keys(probes)) samples[name] = [];
  let readTime = Infinity; // the shortest so far: in a longer one something else ran
  for (let round = -warmUp; round < rounds; ++round) {
    // The probes take turns, so that a change of the machine's mood touches all of them.
    for (const name of Object.keys(probes)) {
      if (round < -20 && spinning.includes(name)) continue;
      await immediate();
      const sample = await probes[name](readTime);
      if (name === 'clockReading') readTime = Math.min(readTime, sample);
      if (round >= 0 && sample !== undefined) samples[name].push(sample);
    }
  }
  process.stdout.write(`${JSON.stringify(samples)}\n`);
})();
