// Timers that are cleared by others that are due at the same time, by microtasks, and by themselves; clearTimeout() clears intervals, too.
let second;
setTimeout(() => {
  console.log('first');
  clearTimeout(second);
}, 20);
second = setTimeout(() => console.log('never'), 20);
let fourth;
setTimeout(() => {
  console.log('third');
  queueMicrotask(() => clearTimeout(fourth));
}, 20);
fourth = setTimeout(() => console.log('never either'), 20);
let count = 0;
const interval = setInterval(() => {
  console.log('interval', ++count);
  if (count === 3) clearTimeout(interval);
}, 20);
clearTimeout(12345678);
clearTimeout(undefined);
setTimeout((a, b) => console.log('arguments', a, b), 100, 'x', 'y');
const id = setTimeout(() => {}, 0);
console.log(typeof id, id > 0, setTimeout(() => {}, 0) > id);
