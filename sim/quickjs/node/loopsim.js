// require('loopsim'): what a program can say to the simulated machine.
'use strict';

const native = internalBinding;
const kMost = 9e9;  // 104 days: whole nanoseconds below 2^53

module.exports = {
  // Keeps the thread's CPU busy for this many milliseconds of work.
  cpu(milliseconds) {
    if (typeof milliseconds !== 'number' || !(milliseconds >= 0 && milliseconds <= kMost)) {
      throw new RangeError(`cpu() takes a number of milliseconds from 0 to ${kMost}`);
    }
    native.cpu(Math.round(milliseconds * 1e6));
  },
};
