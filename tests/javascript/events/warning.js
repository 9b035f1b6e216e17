// The warning of too many listeners is printed once, from a tick.
'use strict';
const EventEmitter = require('events');
const e = new EventEmitter();
process.on('warning', (w) => console.log('warning', w.name, w.type, w.count, w.emitter === e, w.message));
for (let i = 0; i < 13; i++) e.on('x', () => {});
const few = new EventEmitter();
few.setMaxListeners(1);
few.on('y', () => {});
few.on('y', () => {});
const none = new EventEmitter();
none.setMaxListeners(0);
for (let i = 0; i < 20; i++) none.on('x', () => {});
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('micro'));
console.log('main', process.listenerCount('warning'));
