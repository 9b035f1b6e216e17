'use strict';
const readline = require('readline');
const EventEmitter = require('events');
const { promisify } = require('util');
const input = Object.assign(new EventEmitter(), { resume() {}, pause() {} });
const output = Object.assign(new EventEmitter(), { write(text) { console.log('out', JSON.stringify(text)); return true; } });
const rl = readline.createInterface({ input, output });
rl.on('line', (line) => console.log('line', line));
rl.question('Name? ', (answer) => {
  console.log('answer', answer);
  rl.setPrompt('next> ');
  rl.prompt();
});
input.emit('data', 'Ann\nunasked\n');
(async () => {
  setImmediate(() => input.emit('data', 'blue\n'));
  console.log(await promisify(rl.question).call(rl, 'Colour? '));
  rl.write('typed\n');
  rl.close();
  try { rl.question('again', () => {}); } catch (error) { console.log(error.code, error.message); }
})();
