// events: captureRejections hands an async failure to error, or to the symbol's method.
const EventEmitter = require('node:events');
const one = new EventEmitter({ captureRejections: true });
one.on('something', async () => { throw new Error('kaboom'); });
one.on('error', (error) => console.log('error', error.message));
one.emit('something');
const two = new EventEmitter({ captureRejections: true });
two.on('something', async (value) => { throw new Error('kaboom ' + value); });
two[Symbol.for('nodejs.rejection')] = (error, event, ...given) => console.log(error.message, event, given);
two.emit('something', 1);
