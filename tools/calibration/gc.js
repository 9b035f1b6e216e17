// How long the garbage collector stops the thread: durations in nanoseconds of scavenges and mark-compacts of a program that allocates, and
// keeps a twentieth of it for a while; for how many seconds that went on, and the size of the young generation in bytes. Prints JSON.
//
//   node gc.js SECONDS
'use strict';
const { PerformanceObserver, constants } = require('perf_hooks');
const v8 = require('v8');

const seconds = Number(process.argv[2]);
const found = { scavenge: [], markCompact: [], seconds: 0, young: 0 };

const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const kind = entry.detail === undefined ? entry.kind : entry.detail.kind;
    if (kind === constants.NODE_PERFORMANCE_GC_MINOR) found.scavenge.push(Math.round(entry.duration * 1e6));
    if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) found.markCompact.push(Math.round(entry.duration * 1e6));
  }
});
observer.observe({ entryTypes: ['gc'] });

let kept = [];
const begin = process.hrtime();
const passed = () => process.hrtime(begin)[0] + process.hrtime(begin)[1] / 1e9;

(function work() {
  for (let i = 0; i < 20000; i++) {
    const one = { number: i, list: [i, i + 1, i + 2] };
    if (i % 20 === 0) kept.push(one);
  }
  if (kept.length > 400000) kept = [];
  if (passed() < seconds) return setImmediate(work);
  found.seconds = passed();
  for (const space of v8.getHeapSpaceStatistics()) if (space.space_name === 'new_space') found.young = space.space_size;
  setTimeout(() => {
    observer.disconnect();
    process.stdout.write(`${JSON.stringify(found)}\n`);
  }, 20);
})();
