// timers/promises: values, and an immediate.
const { setTimeout: sleep, setImmediate: immediate } = require('node:timers/promises');
(async () => {
  console.log(await sleep(5, 'result'));
  console.log(await immediate('value'));
  console.log(await sleep(1));
})();
