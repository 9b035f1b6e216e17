// setUncaughtExceptionCaptureCallback: it comes before the listeners.
'use strict';
process.on('uncaughtException', () => console.log('not told'));
console.log(process.hasUncaughtExceptionCaptureCallback());
process.setUncaughtExceptionCaptureCallback((error) => console.log('captured', error.message));
console.log(process.hasUncaughtExceptionCaptureCallback());
try { process.setUncaughtExceptionCaptureCallback(() => {}); } catch (error) { console.log(error.code, error.message); }
try { process.setUncaughtExceptionCaptureCallback(5); } catch (error) { console.log(error.code, error.message); }
setTimeout(() => console.log('goes on'), 1);
setTimeout(() => { throw new Error('one'); }, 1);
Promise.reject(new Error('two'));
