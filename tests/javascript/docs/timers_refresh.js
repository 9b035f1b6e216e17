// timers: refresh() starts again with the same delay, also after the timer has fired.
let fired = 0;
const timer = setTimeout(function () {
  fired += 1;
  console.log('fired', fired, this === timer);
  if (fired < 3) timer.refresh();
}, 5);
console.log(timer.refresh() === timer);
