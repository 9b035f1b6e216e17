// `timers/promises`: `setTimeout(0)`, `setImmediate()` and a plain timer: who goes on first?
// Needs Node 16.

const timers = require('timers/promises');

(async () => { await timers.setTimeout(2); console.log('await setTimeout'); })();
(async () => { await timers.setImmediate(); console.log('await setImmediate'); })();
setTimeout(() => console.log('setTimeout'), 2);
setImmediate(() => console.log('setImmediate'));
(async () => {
  let rounds = 0;
  for await (const value of timers.setInterval(10, 'round')) {
    rounds += 1;
    console.log(value, rounds);
    if (rounds === 3) break;
  }
})();
