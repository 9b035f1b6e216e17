// `nextTick` or `queueMicrotask` first, in an ES module?
// Needs Node 12.

process.nextTick(() => console.log('tick'));
queueMicrotask(() => console.log('microtask'));
Promise.resolve().then(() => console.log('promise'));
setTimeout(() => {
  Promise.resolve().then(() => console.log('promise of a timer'));
  process.nextTick(() => console.log('tick of a timer'));
}, 0);
console.log('module');
