// virtual clock, since 12. Timers and immediates as they are printed.
'use strict';
const { inspect } = require('util');
// Numbers of resources are told elsewhere: what is printed takes some in real Node.
const print = (value) => console.log(inspect(value).replace(/((?:asyncId|triggerId)\)\]?: )\d+/g, '$1n'));
const timer = setTimeout(() => {}, 10);
print(timer);
print({ timer: timer.unref() });
const interval = setInterval(function beat() {
  print(interval);
  clearInterval(interval);
}, 5, 'argument', 2);
print([interval]);
const immediate = setImmediate(() => {}, { an: 'argument' });
print(immediate);
setTimeout(() => print(immediate), 2);
console.log(typeof +timer, timer.constructor.name);
const later = setTimeout(() => print(later), 1);
setTimeout(() => print(later), 20);
