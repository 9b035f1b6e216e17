// Does `emit` wait for the loop?

const EventEmitter = require('events');
const emitter = new EventEmitter();

emitter.on('event', () => {
  console.log('first listener');
  emitter.on('event', () => console.log('added meanwhile'));
});
emitter.on('event', () => setImmediate(() => console.log('what the second listener put off')));
emitter.on('event', () => console.log('third listener'));

console.log('before emit');
console.log('emit returned', emitter.emit('event'));
console.log('nobody listens:', emitter.emit('other'));
