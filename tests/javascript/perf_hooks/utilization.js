// stdout only. Of no time at all: asking takes some.
'use strict';
const { performance } = require('perf_hooks');
const { eventLoopUtilization } = performance;
console.log(eventLoopUtilization().utilization);
setImmediate(() => {
  const { utilization, active } = eventLoopUtilization();
  console.log(utilization, typeof active);
});
