'use strict';
// What the probes share: the clock, and samples as the parent process wants them. Runs in every Node from 8 on.

// Nanoseconds of the monotonic clock, the one that the parent process reads too.
const now = process.hrtime.bigint
  ? () => Number(process.hrtime.bigint())
  : () => { const [seconds, nanoseconds] = process.hrtime(); return seconds * 1e9 + nanoseconds; };

function spin(nanoseconds) {
  const end = now() + nanoseconds;
  while (now() < end);
}

const immediate = () => new Promise((resolve) => setImmediate(resolve));

module.exports = { now, spin, immediate };
