// stdout only
// A module that fails is a rejection to the listeners.
process.on('uncaughtExceptionMonitor', (error, origin) => console.log('monitor', error.message, origin));
process.on('uncaughtException', (error, origin) => console.log(error.message, origin));
await null;
throw new Error('thrown');
