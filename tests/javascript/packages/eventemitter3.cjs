// eventemitter3: an emitter that is not Node's.
const EventEmitter = require('eventemitter3');
const emitter = new EventEmitter();
const context = { name: 'context' };
emitter.on('event', function (value) { console.log(value, this.name); }, context);
emitter.once('event', () => console.log('once'));
console.log(emitter.emit('event', 1), emitter.emit('event', 2), emitter.emit('other'));
emitter.emit('error', new Error('no listener, and nothing is thrown'));
console.log(emitter.listenerCount('event'), emitter.eventNames());
setTimeout(() => emitter.removeAllListeners().emit('event', 3) || console.log('nobody'), 5);
