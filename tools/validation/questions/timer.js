'use strict';
// Somebody wants to be called in 100 ms. Five milliseconds earlier another timer is due, whose callback computes for 10 ms.
const { performance } = require('perf_hooks');
const { cpu } = require('loopsim');

const seen = [];

function round() {
  const start = performance.now();
  setTimeout(() => cpu(10), 95);
  setTimeout(() => {
    const after = performance.now() - start;
    seen.push({ lateness: after - 100, missed: after > 110 });
    if (seen.length < 100) setTimeout(round, 7);
    else for (const one of seen) console.log(JSON.stringify(one));
  }, 100);
}

round();
