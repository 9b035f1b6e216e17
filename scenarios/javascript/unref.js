// A timer with `unref()`: does it run?

setTimeout(() => console.log('10 ms, unref'), 10).unref();
setTimeout(() => console.log('20 ms'), 20);
setTimeout(() => console.log('50 ms, unref'), 50).unref();
const back = setTimeout(() => console.log('30 ms, unref and ref'), 30);
back.unref();
back.ref();
process.on('exit', () => console.log('exit'));
