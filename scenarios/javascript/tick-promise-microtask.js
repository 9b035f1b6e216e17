// `process.nextTick`, `queueMicrotask`, `Promise.then`: in which order?
// Needs Node 12.

setImmediate(() => console.log('immediate'));
setTimeout(() => console.log('timeout'), 0);
Promise.resolve().then(() => console.log('then 1'));
queueMicrotask(() => console.log('microtask'));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('then 2'));
console.log('script');
