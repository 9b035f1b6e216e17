// process: nextTick with arguments, before promises and timers.
console.log('start');
process.nextTick((a, b) => console.log('nextTick callback', a, b), 1, 2);
console.log('scheduled');
class MyThing {
  constructor(options) {
    this.options = options;
    process.nextTick(() => this.startDoingStuff());
  }
  startDoingStuff() { console.log('starts', this.options); }
}
new MyThing({ a: 1 });
Promise.resolve().then(() => console.log('resolve'));
queueMicrotask(() => console.log('microtask'));
process.nextTick(() => console.log('nextTick'));
