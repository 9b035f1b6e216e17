// stdout only. A function that captures exceptions throws at the main module's: nobody listens to the rejection, and the function gets that.
let n = 0;
process.setUncaughtExceptionCaptureCallback((e) => { console.log('captured', e.message); if (n++ < 1) throw new Error('again'); });
setTimeout(() => console.log('timer'), 1);
throw new Error('x');
