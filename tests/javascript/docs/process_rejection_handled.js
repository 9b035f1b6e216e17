// process: the list of unhandled rejections grows and shrinks.
const unhandled = new Map();
process.on('unhandledRejection', (reason, promise) => { unhandled.set(promise, reason); });
process.on('rejectionHandled', (promise) => { unhandled.delete(promise); });
const one = Promise.reject(new Error('one'));
Promise.reject(new Error('two'));
setTimeout(() => { console.log(unhandled.size); one.catch(() => console.log('caught')); }, 2);
setTimeout(() => console.log([...unhandled.values()].map((error) => error.message)), 10);
