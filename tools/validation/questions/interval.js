'use strict';
// Called every 20 ms, so one thinks; each call computes for 2 ms.
const { performance } = require('perf_hooks');
const { cpu } = require('loopsim');

const seen = [];
let calls = 0, last = performance.now(), began = last;

const interval = setInterval(() => {
  const now = performance.now();
  const one = { gap: now - last };
  last = now;
  if (++calls % 50 === 0) {
    one.drift = now - began - 1000;
    began = now;
  }
  seen.push(one);
  cpu(2);
  if (calls < 500) return;
  clearInterval(interval);
  for (const each of seen.slice(5)) console.log(JSON.stringify(each));
}, 20);
