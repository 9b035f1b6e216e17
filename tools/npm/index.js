// What a program says to the machine that loopsim simulates, on a real one: the same names, the same errors
// (sim/quickjs/node/loopsim.js). For every version of Node that loopsim knows, from 4 on.
'use strict';

const kMost = 9e9;
const hrtime = process.hrtime;

// Keeps the thread busy for this many milliseconds.
exports.cpu = function cpu(milliseconds) {
  if (typeof milliseconds !== 'number' || !(milliseconds >= 0 && milliseconds <= kMost)) {
    throw new RangeError('cpu() takes a number of milliseconds from 0 to ' + kMost);
  }
  const nanoseconds = Math.round(milliseconds * 1e6);
  const start = hrtime();
  for (;;) {
    const passed = hrtime(start);
    if (passed[0] * 1e9 + passed[1] >= nanoseconds) return;
  }
};
