// events: errorMonitor sees the error, and does not keep it from being thrown.
const { EventEmitter, errorMonitor } = require('node:events');
const myEmitter = new EventEmitter();
myEmitter.on(errorMonitor, (error) => console.log('monitor', error.message));
try { myEmitter.emit('error', new Error('whoops!')); } catch (error) { console.log('thrown', error.message); }
