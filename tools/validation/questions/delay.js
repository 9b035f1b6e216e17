'use strict';
// What monitorEventLoopDelay says of a loop that computes for 3 ms every 15 ms.
const { monitorEventLoopDelay } = require('perf_hooks');
const { cpu } = require('loopsim');

const seen = [];
const histogram = monitorEventLoopDelay({ resolution: 10 });
histogram.enable();

setInterval(() => cpu(3), 15);
setInterval(() => {
  seen.push({ mean: histogram.mean / 1e6, p99: histogram.percentile(99) / 1e6 });
  histogram.reset();
  if (seen.length < 22) return;
  for (const each of seen.slice(2)) console.log(JSON.stringify(each));
  process.exit();
}, 500);
