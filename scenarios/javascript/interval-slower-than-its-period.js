// An interval of 10 ms whose callback takes 25 ms: do the rounds pile up?

'use strict';
let rounds = 0;
const interval = setInterval(() => {
  const begin = Date.now();
  while (Date.now() - begin < 25);
  rounds += 1;
  console.log('round', rounds);
  if (rounds === 3) clearInterval(interval);
}, 10);
setTimeout(() => console.log('timer of 30 ms'), 30);
setImmediate(function check() {
  if (rounds > 0) console.log('an immediate between the rounds');
  else setTimeout(() => setImmediate(check), 5);
});
