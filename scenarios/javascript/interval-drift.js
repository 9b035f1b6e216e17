// An interval of 10 ms whose callback takes 6 ms: when does it run?

'use strict';
const begin = Date.now();
let rounds = 0;
const interval = setInterval(() => {
  const now = Date.now();
  console.log('round ' + rounds + ' at ' + (now - begin) + ' ms');
  while (Date.now() - now < 6);
  rounds += 1;
  if (rounds === 4) clearInterval(interval);
}, 10);
