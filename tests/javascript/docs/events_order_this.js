// events: arguments, `this`, and listeners in the order in which they were added.
const EventEmitter = require('node:events');
class MyEmitter extends EventEmitter {}
const myEmitter = new MyEmitter();
myEmitter.on('event', function (a, b) { console.log(a, b, this === myEmitter); });
myEmitter.on('event', (a, b) => console.log(a, b, this === module.exports));
myEmitter.on('event', (...parameters) => console.log(`event with parameters ${parameters.join(', ')} in third listener`));
myEmitter.emit('event', 'a', 'b');
console.log(myEmitter.listeners('event').length, myEmitter.eventNames());
