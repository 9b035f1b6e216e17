// What a program says to the machine that loopsim simulates, on a real one: the same names, the same errors
// (sim/quickjs/node/loopsim.js). For every version of Node that loopsim knows, from 4 on. And the simulator itself, for Node 18 and later.
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

// The simulator itself, in files that are read when they are first asked for: Node 4 could not. Not enumerable, so that the module looks
// as it does in loopsim.
Object.defineProperty(exports, 'simulate', { value: later('simulate', './simulate.js') });
Object.defineProperty(exports, 'orders', { value: later('orders', './simulate.js') });
Object.defineProperty(exports, 'expectOrder', { value: later('expectOrder', './expect.js') });
Object.defineProperty(exports, 'expectOutput', { value: later('expectOutput', './expect.js') });
Object.defineProperty(exports, 'expectGuaranteed', { value: later('expectGuaranteed', './expect.js') });

function later(name, file) {
  return function () {
    const own = require(file)[name];
    return own.apply(this, arguments);
  };
}
