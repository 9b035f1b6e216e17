// require('loopsim'): what a program can say to the simulated machine.
'use strict';

const native = internalBinding;

module.exports = {
  // Keeps the thread's CPU busy for this many milliseconds of work.
  cpu(milliseconds) { native.cpu(Math.round(milliseconds * 1e6)); },
};
