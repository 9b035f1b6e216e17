// What a program says to the machine that loopsim simulates, on a real one: the same names, the same errors
// (sim/quickjs/node/loopsim.js). For every version of Node that loopsim knows, from 4 on. And the simulator itself, for Node 18 and later.
'use strict';

const kMost = 9e9;
const hrtime = process.hrtime;
const usage = process.threadCpuUsage || process.cpuUsage; // the latter counts the other threads, too; Node 4 has neither

// Keeps the thread busy until it has had this many milliseconds of CPU, however long others hold the core.
exports.cpu = function cpu(milliseconds) {
  if (typeof milliseconds !== 'number' || !(milliseconds >= 0 && milliseconds <= kMost)) {
    throw new RangeError('cpu() takes a number of milliseconds from 0 to ' + kMost);
  }
  let left = Math.round(milliseconds * 1e6);
  const end = cpuTime() + left;
  while (left > 0) {
    spin(left);
    left = usage === undefined ? 0 : end - cpuTime();
  }
};

function cpuTime() {
  if (usage === undefined) return 0;
  const used = usage.call(process);
  return (used.user + used.system) * 1e3;
}

function spin(nanoseconds) {
  const start = hrtime();
  for (;;) {
    const passed = hrtime(start);
    if (passed[0] * 1e9 + passed[1] >= nanoseconds) return;
  }
}

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
