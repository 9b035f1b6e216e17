// A top-level `await` of a timer: what runs meanwhile?
// Needs Node 16.

console.log('start');
setTimeout(() => console.log('timer of 5 ms'), 5);
setImmediate(() => console.log('immediate'));
Promise.resolve().then(() => console.log('promise'));
await new Promise((resolve) => setTimeout(resolve, 10));
console.log('after await');
