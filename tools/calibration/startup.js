'use strict';
// Measures the time from the main script to the first turn of the loop. Prints one sample per process, as JSON:
//
// sinceTimer  nanoseconds from the start time of the timer below to the first turn
// sinceEnd    nanoseconds from the end of this script; less, since Node compiles its own functions on their first call
// first       which callback ran first: "timer" or "immediate"
const { performance } = require('perf_hooks');

let armed;
let first;
// A Timeout stores its start time in this field. Intercepting the assignment is the only way to get that moment: it is
// in the middle of the first setTimeout() call, which takes long; an earlier call would shorten it.
Object.defineProperty(Object.prototype, '_idleStart', {
  configurable: true,
  set(value) {
    if (typeof value !== 'number') return;
    armed = performance.now();
    Object.defineProperty(this, '_idleStart', { value, writable: true, enumerable: true, configurable: true });
  },
});
performance.now(); // warm-up call

const beforeTimer = performance.now();
setTimeout(() => { first = first || 'timer'; }, 0);
setImmediate(() => {
  // Node records loopStart before it enters the loop.
  const { loopStart } = performance.nodeTiming;
  first = first || 'immediate';
  const since = (moment) => Math.round((loopStart - moment) * 1e6);
  const result = { sinceTimer: since(armed === undefined ? beforeTimer : armed), sinceEnd: since(end), first };
  process.stdout.write(`${JSON.stringify(result)}\n`);
});
const end = performance.now();
