// Transform: push, flush, and the order of its two sides.
const { Transform } = require('stream');
const upper = new Transform({
  transform(chunk, encoding, callback) {
    for (const letter of String(chunk)) this.push(letter.toUpperCase());
    callback(null, '.');
  },
  flush(callback) { console.log('flush'); callback(null, 'the end'); },
});
for (const event of ['prefinish', 'finish', 'end', 'close']) upper.on(event, () => console.log(event));
upper.on('data', (chunk) => console.log('data', String(chunk)));
upper.write('ab', () => console.log('written'));
upper.end('c', () => console.log('ended'));
process.nextTick(() => console.log('tick'));
console.log('main');
