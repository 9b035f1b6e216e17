// events: once, newListener and removeListener.
const EventEmitter = require('node:events');
const emitter = new EventEmitter();
emitter.once('newListener', (event) => {
  if (event === 'event') emitter.on('event', () => console.log('B'));
});
emitter.on('removeListener', (event, listener) => console.log('removed from', event, typeof listener));
emitter.on('event', () => console.log('A'));
emitter.once('event', () => console.log('once'));
emitter.emit('event');
emitter.emit('event');
