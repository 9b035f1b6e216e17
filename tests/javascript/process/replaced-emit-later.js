// virtual clock, stdout only, since 6. On the prototype; and what is replaced when listeners are there.
'use strict';
const EventEmitter = require('events');
const emit = EventEmitter.prototype.emit;
const print = console.log;
process.on('SIGUSR2', () => print('signal'));
EventEmitter.prototype.emit = function (name) {
  if (this === process) print('emit', name);
  return emit.apply(this, arguments);
};
setTimeout(() => process.kill(process.pid, 'SIGUSR2'), 5);
setTimeout(() => {
  process.emit = function (name) {
    print('own', name);
    if (name === 'exit') throw new Error('in exit');
    return true;
  };
  process.kill(process.pid, 'SIGUSR2');
}, 10);
process.listenerCount = () => { print('listenerCount'); return 5; };
process.listeners = () => { print('listeners'); return []; };
