// timers/promises: a signal cancels, before and during the wait.
const { setTimeout: sleep, setImmediate: immediate } = require('node:timers/promises');
const controller = new AbortController();
sleep(1000, 'foobar', { signal: controller.signal }).then(console.log).catch((error) => {
  console.log(error.name, error.code, error.message);
});
immediate('foobar', { signal: controller.signal }).then(console.log).catch((error) => console.log(error.name));
controller.abort();
sleep(1000, 'x', { signal: controller.signal }).catch((error) => console.log('at once', error.name));
