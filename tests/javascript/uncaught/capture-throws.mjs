// stdout only. A function that captures exceptions throws at the main module's: that rejects the promise of the loader.
process.on('unhandledRejection', (e) => console.log('rejection', e.message));
process.setUncaughtExceptionCaptureCallback((e) => { console.log('captured', e.message); throw new Error('again'); });
setTimeout(() => console.log('timer'), 1);
throw new Error('x');
