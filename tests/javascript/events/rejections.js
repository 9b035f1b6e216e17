// captureRejections: the ticks and microtasks between a listener's rejection and the 'error'.
'use strict';
const EventEmitter = require('events');
const e = new EventEmitter({ captureRejections: true });
e.on('x', async () => { throw new Error('async'); });
e.on('error', (error) => console.log('error', error.message));
e.emit('x');
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('micro 1')).then(() => console.log('micro 2'))
  .then(() => process.nextTick(() => console.log('late tick')));
setImmediate(() => console.log("immediate"));
setTimeout(() => {
  const r = new EventEmitter({ captureRejections: true });
  r[Symbol.for('nodejs.rejection')] = (error, event, ...args) => console.log('rejection', error.message, event, args.join());
  r.on('y', async (...args) => { await null; throw new Error('later'); });
  r.emit('y', 1, 2);
  queueMicrotask(() => console.log('m1'));
  process.nextTick(() => console.log('t1'));
  r.on('then', () => ({ get then() { throw new Error('getter'); } }));
  r.on('error', (error) => console.log('from then', error.message));
  r.emit('then');
}, 50);
