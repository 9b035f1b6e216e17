// One source, two targets of different speed; one is taken off.
const { PassThrough, Writable } = require('stream');
const source = new PassThrough();
const sink = (name, delay) => new Writable({
  highWaterMark: 1,
  write(chunk, encoding, callback) { console.log(name, String(chunk)); setTimeout(callback, delay); },
});
const quick = sink('quick', 1);
const slow = sink('slow', 10);
source.pipe(quick);
source.pipe(slow);
slow.on('unpipe', () => console.log('unpiped'));
quick.on('finish', () => console.log('quick finished'));
slow.on('finish', () => console.log('slow finished'));
source.write('a');
source.write('b');
setTimeout(() => { source.unpipe(slow); source.write('c'); source.end(); slow.end('d'); }, 50);
