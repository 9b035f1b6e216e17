// virtual clock, stdout only, since 6. One that hears everything, or nothing.
'use strict';
const print = console.log;
let answers = true;
process.emit = function (name, a) {
  print('emit', name, a instanceof Error ? a.message : typeof a);
  return answers;
};
Promise.reject(new Error('rejection'));
setTimeout(() => { throw new Error('heard'); }, 5);
setTimeout(() => { answers = false; throw new Error('not heard'); }, 10);
