// A rejection is caught later: when is it too late?

process.on('unhandledRejection', (error) => console.log('unhandled: ' + error.message));
process.on('rejectionHandled', () => console.log('handled after all'));

const a = Promise.reject(new Error('a'));
const b = Promise.reject(new Error('b'));
const c = Promise.reject(new Error('c'));
process.nextTick(() => a.catch((error) => console.log('caught in a tick: ' + error.message)));
Promise.resolve().then(() => b.catch((error) => console.log('caught in a microtask: ' + error.message)));
setImmediate(() => c.catch((error) => console.log('caught in an immediate: ' + error.message)));
