'use strict';
// Helpers shared by the probes: the clock, busy waiting, and waiting for an immediate. Runs in Node 8 and later.

// Nanoseconds of the monotonic clock, which the parent process reads too.
const now = process.hrtime.bigint
  ? () => Number(process.hrtime.bigint())
  : () => { const [seconds, nanoseconds] = process.hrtime(); return seconds * 1e9 + nanoseconds; };

function spin(nanoseconds) {
  const end = now() + nanoseconds;
  while (now() < end);
}

// The same, with a calculation between readings, which make garbage.
let number = 1;
function calculate(nanoseconds) {
  const end = now() + nanoseconds;
  while (now() < end) {
    let value = number;
    for (let i = 0; i < 5000; ++i) value = (Math.imul(value, 1664525) + 1013904223) | 0;
    number = value;
  }
}

const immediate = () => new Promise((resolve) => setImmediate(resolve));

module.exports = { now, spin, calculate, immediate };
