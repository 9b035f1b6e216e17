// What a program says to the machine that loopsim simulates, on a real one: the same names, the same errors
// (sim/quickjs/node/loopsim.js). For every version of Node that loopsim knows, from 4 on. And the simulator itself, for Node 18 and later.
'use strict';

const kMost = 9e9;
// In ms. Between two readings of the clock the thread calculates for some microseconds; with an interrupt or a scavenge that is some
// 100 us, unless somebody else had the core meanwhile. (The kernel's count of the thread's CPU time, process.threadCpuUsage(), is only as
// new as the last tick. And a loop that did nothing but read the clock would make garbage all the time.)
const kLost = 0.3;
const kShort = 0.004, kLong = 0.012;
const performance = perfHooks();
const now = performance === undefined ? hrtime : () => performance.now();
let rounds = 500;
let number = 1;

// Keeps the thread busy until it has had this many milliseconds of CPU, however long others hold the core.
exports.cpu = function cpu(milliseconds) {
  if (typeof milliseconds !== 'number' || !(milliseconds >= 0 && milliseconds <= kMost)) {
    throw new RangeError('cpu() takes a number of milliseconds from 0 to ' + kMost);
  }
  let left = milliseconds;
  for (let last = now(); left > 0;) {
    calculate(rounds);
    const at = now();
    const passed = at - last;
    last = at;
    if (passed >= kLost) continue;
    left -= passed;
    if (passed < kShort) rounds *= 2;
    else if (passed > kLong && rounds > 1) rounds /= 2;
  }
};

// Of 32 bits, and in a variable of its own: so it makes no garbage.
function calculate(count) {
  let value = number;
  for (let i = 0; i < count; i++) value = Math.imul(value, 1664525) + 1013904223 | 0;
  number = value;
}

function hrtime() {
  const time = process.hrtime();
  return time[0] * 1e3 + time[1] / 1e6;
}

// undefined: not in this version.
function perfHooks() {
  try {
    return require('perf_hooks').performance;
  } catch (error) {
    return undefined;
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
