// events: two once() promises, events emitted together: both are heard when they were asked for before.
const { EventEmitter, once } = require('node:events');
const myEE = new EventEmitter();
async function foo() {
  await Promise.all([once(myEE, 'bar'), once(myEE, 'foo')]);
  console.log('foo and bar');
}
process.nextTick(() => { myEE.emit('bar'); myEE.emit('foo'); });
foo().then(() => console.log('done'));
