// events: a listener that is removed while it is emitted is called once more.
const EventEmitter = require('node:events');
const myEmitter = new EventEmitter();
const callbackA = () => { console.log('A'); myEmitter.removeListener('event', callbackB); };
const callbackB = () => console.log('B');
myEmitter.on('event', callbackA);
myEmitter.on('event', callbackB);
myEmitter.emit('event');
myEmitter.emit('event');
