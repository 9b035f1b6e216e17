// stdout only
// events: an error without a listener ends the process.
const EventEmitter = require('node:events');
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => new EventEmitter().emit('error', new Error('whoops!')), 1);
setTimeout(() => console.log('never'), 50);
