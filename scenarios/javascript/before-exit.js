// May `beforeExit` start new work, and how often does it come?

'use strict';
let times = 0;
process.on('beforeExit', () => {
  times += 1;
  console.log('beforeExit', times);
  if (times < 3) setTimeout(() => console.log('work', times), 5);
});
process.on('exit', (code) => console.log('exit', code));
console.log('script end');
