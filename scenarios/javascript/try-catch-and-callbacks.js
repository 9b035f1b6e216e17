// A `try` around `setTimeout`, around a promise, around `await`: which of them catches?
// Needs Node 8.

process.on('uncaughtException', (error) => console.log('uncaught: ' + error.message));
process.on('unhandledRejection', (error) => console.log('unhandled: ' + error.message));

try { setTimeout(() => { throw new Error('timer'); }, 0); } catch (error) { console.log('caught: ' + error.message); }
try { Promise.reject(new Error('promise')); } catch (error) { console.log('caught: ' + error.message); }
(async () => {
  try { await Promise.reject(new Error('awaited')); } catch (error) { console.log('caught: ' + error.message); }
  try { return Promise.reject(new Error('returned')); } catch (error) { console.log('caught: ' + error.message); }
})();
