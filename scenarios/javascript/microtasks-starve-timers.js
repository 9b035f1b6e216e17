// Microtasks that ask for microtasks: when does a timer of 0 ms run?

'use strict';
let left = 5;
setTimeout(() => console.log('timeout'), 0);
setImmediate(() => console.log('immediate'));

function again() {
  console.log('microtask, ' + left + ' to go');
  left -= 1;
  if (left > 0) Promise.resolve().then(again);
}
Promise.resolve().then(again);
