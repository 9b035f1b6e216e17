// timers/promises: setInterval as an async iterator.
const { setInterval: every } = require('node:timers/promises');
(async () => {
  let rounds = 0;
  for await (const value of every(5, 'tick')) {
    console.log(value, ++rounds);
    if (rounds === 3) break;
  }
  console.log('done');
})();
