// stdout only. What is told of an error of the main module while a function captures exceptions.
process.on('uncaughtExceptionMonitor', (e, o) => console.log('monitor', e.message, o));
process.setUncaughtExceptionCaptureCallback((e) => console.log('captured', e.message));
Promise.reject(new Error('other'));
throw new Error('x');
