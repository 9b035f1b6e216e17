// virtual clock, stdout only, since 6. One that answers for the listeners.
'use strict';
const print = console.log;
const emit = process.emit;
process.emit = function (name) { print('emit', name); if (name === 'unhandledRejection') return false; return emit.apply(this, arguments); };
process.on('unhandledRejection', () => print('never'));
process.on('uncaughtException', (e) => print('uncaught', e.message));
Promise.reject(new Error('r1'));
setTimeout(() => process.exit(4), 10);
