// Warnings: a rejection that is handled late, and listeners that are too many.
'use strict';
const EventEmitter = require('events');
process.on('unhandledRejection', () => console.log('unhandled'));
const rejected = Promise.reject(new Error('late'));
setTimeout(() => rejected.catch(() => console.log('handled')), 1);
const emitter = new EventEmitter();
for (let i = 0; i < 11; ++i) emitter.on('data', () => {});
setTimeout(() => {}, 2 ** 31);
process.emitWarning('mine', { type: 'Custom', code: 'C1', detail: 'and more' });
process.emitWarning('old', 'DeprecationWarning', 'DEP9');
setTimeout(() => process.exit(), 5);
