'use strict';
const readline = require('readline/promises');
const EventEmitter = require('events');
const input = Object.assign(new EventEmitter(), { resume() {}, pause() {} });
const output = Object.assign(new EventEmitter(), { write(text, done) { console.log('out', JSON.stringify(text)); if (typeof done === 'function') done(); return true; } });
(async () => {
  const rl = readline.createInterface({ input, output });
  setTimeout(() => input.emit('data', '42\n'), 1);
  console.log(await rl.question('Number? '));
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 1);
  await rl.question('Waits? ', { signal: controller.signal }).catch((error) => console.log(error.name, error.code, error.message));
  await rl.question('Never? ', { signal: AbortSignal.abort() }).catch((error) => console.log(error.name, error.message));
  rl.close();
  await rl.question('Closed? ').catch((error) => console.log(error.code));
})();
