// The order of 'readable', 'data', 'end' and 'close' between ticks, microtasks and immediates.
const { Readable } = require('stream');

const source = new Readable({ read() { console.log('read'); } });
source.on('data', (chunk) => console.log('data', String(chunk)));
source.on('end', () => console.log('end'));
source.on('close', () => console.log('close'));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('microtask'));
setImmediate(() => {
  console.log('immediate');
  source.push('one');
  source.push('two');
  process.nextTick(() => console.log('tick of the immediate'));
  source.push(null);
  console.log('pushed');
});
console.log('main', source.readableFlowing, source.isPaused());
