// pipe(): back pressure, 'pipe' and 'unpipe', and the end.
const { Readable, Writable } = require('stream');

let number = 0;
const source = new Readable({
  highWaterMark: 2,
  read() {
    number++;
    console.log('read', number);
    this.push(number > 5 ? null : String(number));
  },
});
const target = new Writable({
  highWaterMark: 2,
  write(chunk, encoding, callback) { console.log('write', String(chunk)); setTimeout(callback, 1); },
});
for (const event of ['pipe', 'unpipe', 'finish', 'close', 'drain']) target.on(event, () => console.log('target', event));
for (const event of ['pause', 'resume', 'end', 'close']) source.on(event, () => console.log('source', event));
console.log(source.pipe(target) === target, source.readableFlowing);
