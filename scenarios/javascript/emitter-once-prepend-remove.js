// `once`, `prependListener`, and a listener that removes the next: who is called?
// Needs Node 6.

const EventEmitter = require('events');
const emitter = new EventEmitter();
const removed = () => console.log('removed, and called');

emitter.once('event', () => { console.log('once'); emitter.removeListener('event', removed); emitter.emit('event'); });
emitter.on('event', removed);
emitter.on('event', () => console.log('always'));
emitter.prependListener('event', () => console.log('in front'));

emitter.emit('event');
console.log(emitter.listenerCount('event'), 'listeners are left');
