'use strict';
const readline = require('readline');
const EventEmitter = require('events');
const input = Object.assign(new EventEmitter(), { resume() {}, pause() {} });
const rl = readline.createInterface({ input });
(async () => {
  for await (const line of rl) console.log('line', line);
  console.log('done');
})();
input.emit('data', 'one\ntwo\n');
setImmediate(() => {
  input.emit('data', 'three\nfour');
  setImmediate(() => input.emit('end'));
});
process.nextTick(() => console.log('tick'));
