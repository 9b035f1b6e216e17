// The numbers in warnings of rejections count the promise of the module, which has thrown, since Node 14.
process.on('uncaughtException', (error) => { console.log('caught', error.message); });
Promise.reject(new Error('early'));
const late = Promise.reject(2);
setTimeout(() => late.catch(() => {}), 5);
Promise.resolve().then(() => { throw new TypeError('one'); });
throw new Error('two');
