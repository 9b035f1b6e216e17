'use strict';
// Every 100 ms a burst of 30 ms of work. Its utilisation is taken as a health check takes it, over a second, and over windows of 50 ms.
const { performance } = require('perf_hooks');
const { cpu } = require('loopsim');

const seen = [];
let windows = 0, last = performance.eventLoopUtilization(), second = last;

setInterval(() => cpu(30), 100);
setInterval(() => {
  const now = performance.eventLoopUtilization();
  const one = { window: performance.eventLoopUtilization(now, last).utilization };
  one.full = one.window > 0.9;
  last = now;
  if (++windows % 20 === 0) {
    one.second = performance.eventLoopUtilization(now, second).utilization;
    second = now;
  }
  seen.push(one);
  if (windows < 240) return;
  for (const each of seen.slice(20)) console.log(JSON.stringify(each));
  process.exit();
}, 50);
