// process: uncaughtException, with its origin, and what comes after.
process.on('uncaughtException', (error, origin) => console.log('Caught exception:', error.message, '/', origin));
process.on('uncaughtExceptionMonitor', (error, origin) => console.log('monitor:', error.message, '/', origin));
setTimeout(() => console.log('This will still run.'), 20);
setTimeout(() => Promise.reject(new Error('as a rejection')), 5);
nonexistentFunc();
console.log('This will not run.');
