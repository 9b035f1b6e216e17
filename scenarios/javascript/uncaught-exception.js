// A timer throws: do the other timers still run?

process.on('uncaughtException', (error) => console.log('uncaught: ' + error.message));
setTimeout(() => { throw new Error('first timer'); }, 1);
setTimeout(() => console.log('second timer'), 1);
setImmediate(() => {
  process.nextTick(() => console.log('a tick'));
  throw new Error('immediate');
});
throw new Error('script');
