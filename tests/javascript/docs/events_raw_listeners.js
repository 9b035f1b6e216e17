// events: rawListeners have the wrapper of once.
const EventEmitter = require('node:events');
const emitter = new EventEmitter();
emitter.once('log', () => console.log('log once'));
const [wrapper] = emitter.rawListeners('log');
wrapper.listener();
wrapper();
emitter.on('log', () => console.log('log persistently'));
const all = emitter.rawListeners('log');
all[0]();
emitter.emit('log');
console.log(all.length, emitter.listenerCount('log'));
