// An `error` event without a listener: what happens?

const EventEmitter = require('events');
const emitter = new EventEmitter();

process.on('exit', (code) => console.log('exit', code));
try { emitter.emit('error', new Error('one')); } catch (error) { console.log('caught: ' + error.message); }
emitter.once('error', (error) => console.log('heard: ' + error.message));
emitter.emit('error', new Error('two'));
setImmediate(() => emitter.emit('error', new Error('three')));
setTimeout(() => console.log('timer'), 10);
