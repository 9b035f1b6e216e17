'use strict';
// A worker renews its lock of 150 ms every 75 ms, and computes jobs of 60 ms, one after the other.
const { performance } = require('perf_hooks');
const { cpu } = require('loopsim');

const seen = [];
let last = performance.now();

setInterval(() => {
  const now = performance.now();
  seen.push({ gap: now - last, lost: now - last > 150 });
  last = now;
  if (seen.length < 102) return;
  for (const each of seen.slice(2)) console.log(JSON.stringify(each));
  process.exit();
}, 75);

(function job() {
  cpu(60);
  setImmediate(job);
})();
