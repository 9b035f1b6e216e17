'use strict';
// A service in a container: every 40 ms a request, which takes 25 ms of CPU to answer.
const { performance } = require('perf_hooks');
const { cpu } = require('loopsim');

const seen = [];
let due = performance.now() + 40;

(function next() {
  setTimeout(() => {
    cpu(25);
    seen.push({ time: performance.now() - due, slow: performance.now() - due > 40 });
    due += 40;
    if (seen.length < 260) return next();
    for (const each of seen.slice(10)) console.log(JSON.stringify(each));
  }, Math.max(due - performance.now(), 1));
})();
