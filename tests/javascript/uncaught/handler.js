// A listener of 'uncaughtException' throws itself: exit code 7, and no 'exit'.
'use strict';
process.on('exit', () => console.log('not told'));
process.on('uncaughtExceptionMonitor', (error, origin) => console.log('monitor', error.message, origin));
process.on('uncaughtException', (error, origin) => {
  console.log('handler', error.message, origin);
  throw new TypeError('second');
});
throw new Error('first');
