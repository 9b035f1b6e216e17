// Marks, measures, observers, histograms, timerify.
'use strict';
const { performance, PerformanceObserver, monitorEventLoopDelay, createHistogram } = require('perf_hooks');
const mark = performance.mark('a', { startTime: 5, detail: { x: 1 } });
console.log(mark.name, JSON.stringify(mark), Object.prototype.toString.call(mark), mark.detail.x);
console.log(JSON.stringify(performance.measure('b', { start: 1, end: 3 })), performance.measure('c', { start: 'a', duration: 2 }).duration);
console.log(performance.eventLoopUtilization(), Object.keys(performance.toJSON()).join());
const names = (entries) => entries.map((e) => `${e.name}:${e.entryType}`).join();
console.log(names(performance.getEntries()), names(performance.getEntriesByName('a')), names(performance.getEntriesByType('measure')));
const bad = [
  () => performance.measure('z', 'nope'),
  () => performance.mark('x', { startTime: -1 }),
  () => performance.timerify(3),
  () => monitorEventLoopDelay({ resolution: 0 }),
  () => new PerformanceObserver(),
  () => new PerformanceObserver(() => {}).observe({}),
  () => performance.mark('nodeStart'),
];
for (const f of bad) try { console.log(f()); } catch (e) { console.log(e.name, e.code, e.message); }
const observer = new PerformanceObserver((list, self) => {
  console.log('observed', names(list.getEntries()), self === observer);
  observer.disconnect();
});
observer.observe({ entryTypes: ['mark', 'measure', 'function'] });
performance.mark('one');
process.nextTick(() => console.log('tick'));
setImmediate(() => console.log('immediate'));
Promise.resolve().then(() => console.log('micro'));
performance.mark('two');
const timed = performance.timerify(function foo(a) { return a + 1; });
console.log(timed(1), timed.name, timed.length);
performance.clearMarks('one');
console.log(names(performance.getEntriesByType('mark')));
const h = createHistogram();
for (const value of [5, 10, 3000, 1e6, 123456789]) h.record(value);
console.log(h.min, h.max, h.mean, h.stddev, h.count, h.percentile(50), h.percentile(99));
console.log([...h.percentiles].join(' '));
