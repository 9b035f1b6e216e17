'use strict';
// Measures the costs of the loop. Prints one JSON object: probe -> nanoseconds per operation, one number per round.
//
//   node costs.js ROUNDS
//
// A sample is the time of a batch of equal operations, minus the time of reading the clock, divided by their number.
// The batches are short, so that most of them run uninterrupted; the parent process takes medians.
const fs = require('fs');
const { now, spin, immediate } = require('./clock.js');

const rounds = Number(process.argv[2]);
const warmUp = 100; // rounds whose samples are discarded, until the JIT has compiled everything
const spinning = ['timerCallback', 'poolCallback', 'lost', 'request', 'submit']; // need fewer warm-up rounds, since each takes milliseconds
const batch = 500;
const requests = 64; // thread pool operations that complete together

// ---- probes: each resolves to the time of one operation, or to undefined if the round is invalid --------------------

const clockReading = async () => {
  const begin = now();
  for (let i = 1; i < batch; ++i) now();
  return (now() - begin) / batch;
};

// A chain: each operation schedules the next, so a sample includes scheduling and the call.
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

// Callbacks that are ready together run one after the other in one phase. Measures from the first start to the last.
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
      resolve(samePhase ? sample : undefined); // invalid if another turn began in between
    }
  };
  setImmediate(() => prepare(callback));
});

const immediateCallback = together(batch, (callback) => {
  for (let i = 0; i < batch; ++i) setImmediate(callback);
});
const timerCallback = together(batch, (callback) => {
  for (let i = 0; i < batch; ++i) setTimeout(callback, 1);
  spin(2.5e6); // all timers are due when the loop checks them
});
const poolCallback = together(requests, (callback) => {
  for (let i = 0; i < requests; ++i) fs.access('/', callback);
  spin(2.5e6); // the thread pool has completed all requests
});

// One request to the pool at a time, while the loop does not sleep: waking a thread, the system call, telling the loop.
const request = () => new Promise((resolve) => setTimeout(() => {
  let answered = false;
  const begin = now();
  fs.access('/', () => {
    answered = true;
    resolve(now() - begin);
  });
  const wait = () => { if (!answered) setImmediate(wait); };
  setImmediate(wait);
}, 1));

// The call alone: the second of two, as of a program that makes several.
const submit = () => new Promise((resolve) => setTimeout(() => {
  let answers = 0;
  let took = 0;
  const answer = () => { if (++answers === 2) resolve(took); };
  fs.access('/', answer);
  const begin = now();
  fs.access('/', answer);
  took = now() - begin;
}, 1));

// A system call that the thread waits for, with what Node does around it.
const systemCall = async (readTime) => {
  const begin = now();
  for (let i = 0; i < batch; ++i) fs.accessSync('/');
  return (now() - begin - readTime) / batch;
};

const timers = new Array(batch);
const nothing = () => {};
const armTimer = async (readTime) => {
  const begin = now();
  for (let i = 0; i < batch; ++i) timers[i] = setTimeout(nothing, 60000);
  const sample = (now() - begin - readTime) / batch;
  timers.forEach((timer) => clearTimeout(timer));
  return sample;
};

// A thousand jumps and calls of each computation.
const jumps = Object.fromEntries(require('./jumps.js').map((computation) => [computation.name, async (readTime) => {
  const begin = now();
  computation.run();
  return (now() - begin - readTime) / computation.jumps * 1000;
}]));

// The share of time taken by other work: the gaps over 10 us between consecutive readings of the clock.
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

const probes = {
  clockReading, tick, microtask, immediateCallback, timerCallback, poolCallback, turn, armTimer, request, submit, systemCall, ...jumps,
  lost,
};

(async () => {
  const samples = {};
  for (const name of Object.keys(probes)) samples[name] = [];
  let readTime = Infinity; // the shortest so far; longer ones were interrupted
  for (let round = -warmUp; round < rounds; ++round) {
    // The probes alternate, so that changes in the machine's load affect all of them.
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
