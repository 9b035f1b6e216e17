'use strict';
const readline = require('readline');
const EventEmitter = require('events');
function makeInput() {
  const input = new EventEmitter();
  input.resume = () => { console.log('  resume'); return input; };
  input.pause = () => { console.log('  pause'); return input; };
  return input;
}
const input = makeInput();
const rl = readline.createInterface({ input, crlfDelay: Infinity });
rl.on('line', (line) => console.log('line', JSON.stringify(line)));
rl.on('close', () => console.log('close'));
rl.on('pause', () => console.log('paused'));
rl.on('resume', () => console.log('resumed'));
input.emit('data', 'one\ntw');
input.emit('data', 'o\r\nthree\r');
input.emit('data', '\nfour\n\n');
input.emit('data', Buffer.from('ä').subarray(0, 1));
input.emit('data', Buffer.concat([Buffer.from('ä').subarray(1), Buffer.from('\nlast without an end')]));
rl.pause();
rl.resume();
console.log(rl.line === '', rl.terminal, rl.getPrompt());
input.emit('end');
input.emit('data', 'too late\n');
rl.close();
console.log(input.listenerCount('data'), rl.closed ?? true);
