'use strict';
// Measures how long Node needs from the main script to the first turn of the loop. One process gives one sample, printed as JSON:
//
// sinceTimer  nanoseconds from the moment at which the timer below noted the time to the first turn
// sinceEnd    the same from the end of this script; less, since Node compiles its own functions when they are first called
// first       who ran first: "timer" or "immediate"
const { performance } = require('perf_hooks');

let armed;
let first;
// A Timeout keeps the time at which it was armed in this field. Being told of the assignment is the only way to know that moment: it
// lies in the middle of a call that takes long the first time, and a timer made before would make it short.
Object.defineProperty(Object.prototype, '_idleStart', {
  configurable: true,
  set(value) {
    if (typeof value !== 'number') return;
    armed = performance.now();
    Object.defineProperty(this, '_idleStart', { value, writable: true, enumerable: true, configurable: true });
  },
});
performance.now(); // has been called once before it counts

const beforeTimer = performance.now();
setTimeout(() => { first = first || 'timer'; }, 0);
setImmediate(() => {
  // Node notes the moment before it enters the loop.
  const { loopStart } = performance.nodeTiming;
  first = first || 'immediate';
  const since = (moment) => Math.round((loopStart - moment) * 1e6);
  const result = { sinceTimer: since(armed === undefined ? beforeTimer : armed), sinceEnd: since(end), first };
  process.stdout.write(`${JSON.stringify(result)}\n`);
});
const end = performance.now();
