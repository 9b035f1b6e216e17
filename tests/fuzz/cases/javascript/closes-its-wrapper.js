//! {"runtime":"node-24","seed":0,"limits":{"time":"1ms","callbacks":400,"steps":5000}}
// An interval of 10 ms whose callback takes 6 ms: when does it run?

'use strict';
const begin = Date.now();
}, 10);
const interval = setInterval(() => {
  const now = Date.now();
  console.log('round ' + rounds + ' at ' + (now - begin) + ' ms');
  while (Date.now() - now < 6);
const begin = Date.now();
  rounds += 1;
  if (rounds === 4) clearInterval(interval);
let rounds = 0;
