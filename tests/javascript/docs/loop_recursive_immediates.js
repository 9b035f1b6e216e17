// The event loop guide: an immediate that asks for itself lets timers run, too.
let turns = 0;
let timerRan = false;
const begin = Date.now();
setTimeout(() => { timerRan = true; }, 2);
setImmediate(function again() {
  turns += 1;
  if (Date.now() - begin > 1000) throw new Error('it starves');
  if (!timerRan) return setImmediate(again);
  console.log('the timer ran', turns > 1);
});
