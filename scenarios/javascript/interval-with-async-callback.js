// An interval of 10 ms with an async callback of 25 ms: do the rounds overlap?
// Needs Node 8.

let rounds = 0;
let running = 0;
const interval = setInterval(async () => {
  const round = ++rounds;
  if (round === 4) clearInterval(interval);
  running += 1;
  console.log('round ' + round + ' begins, ' + running + ' running');
  await new Promise((resolve) => setTimeout(resolve, 25));
  running -= 1;
  console.log('round ' + round + ' ends, ' + running + ' running');
}, 10);
