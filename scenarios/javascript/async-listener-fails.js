// An async listener throws: who hears of it?
// Needs Node 14.

const EventEmitter = require('events');
process.on('unhandledRejection', (error) => console.log('unhandledRejection:', error.message));

const plain = new EventEmitter();
plain.on('error', (error) => console.log('error of plain:', error.message));
plain.on('event', async () => { throw new Error('one'); });
plain.emit('event');

const captures = new EventEmitter({ captureRejections: true });
captures.on('error', (error) => console.log('error of captures:', error.message));
captures.on('event', async () => { throw new Error('two'); });
captures.emit('event');
console.log('both were emitted');
