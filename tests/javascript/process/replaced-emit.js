// virtual clock, stdout only, since 6. What Node tells through process.emit() that the program has replaced.
'use strict';
const emit = process.emit;
const print = console.log;
process.emit = function (name, a) {
  print('emit', name, typeof a === 'number' ? a : a instanceof Error ? a.message : typeof a, this === process, arguments.length);
  const returned = emit.apply(this, arguments);
  print(' ', returned);
  return returned;
};
process.on('unhandledRejection', () => {});
process.on('rejectionHandled', () => {});
process.on('SIGUSR2', () => print('signal'));
process.once('uncaughtException', () => {});
process.on('exit', () => print('exit'));
const late = Promise.reject(new Error('late'));
setTimeout(() => late.catch(() => {}), 5);
setTimeout(() => { throw new Error('timer'); }, 10);
setTimeout(() => process.kill(process.pid, 'SIGUSR2'), 15);
setTimeout(() => process.emitWarning('careful'), 20);
setTimeout(() => { process.exitCode = 3; }, 30);
