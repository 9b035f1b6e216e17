// A timer of a month: when does it run?

setTimeout(() => console.log('in a month?'), 30 * 24 * 3600 * 1000);
setTimeout(() => console.log('in 10 ms'), 10);
