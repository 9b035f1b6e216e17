// What measures the loop: utilization, and the delay of a timer.
'use strict';
const { performance, monitorEventLoopDelay } = require('perf_hooks');
const h = monitorEventLoopDelay({ resolution: 10 });
console.log(h.enable(), h.enable(), h.count);
setTimeout(() => {
  const elu = performance.eventLoopUtilization();
  console.log(elu.idle > 50, elu.active < 20, elu.utilization < 0.5);
  setTimeout(() => {
    const delta = performance.eventLoopUtilization(elu);
    console.log(delta.idle > 30, Object.keys(delta).join());
    console.log(h.disable(), h.count >= 5, h.min >= 9e6, h.max < 60e6, h.mean > 9e6);
    h.reset();
    console.log(h.count, h.max);
  }, 40);
}, 60);
