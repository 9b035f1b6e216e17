// `abort()`: do the listeners run at once?
// Needs Node 16.

const { setTimeout: sleep } = require('timers/promises');
const controller = new AbortController();

controller.signal.addEventListener('abort', () => console.log('listener'));
sleep(1000, null, { signal: controller.signal }).catch((error) => console.log('rejected:', error.name));
console.log('before abort');
controller.abort();
console.log('after abort', controller.signal.aborted);
controller.abort();
controller.signal.addEventListener('abort', () => console.log('too late'));
