// cork() and uncork(): one writev() of many.
const { Writable } = require('stream');
const stream = new Writable({
  write(chunk, encoding, callback) { console.log('write', String(chunk)); callback(); },
  writev(chunks, callback) { console.log('writev', chunks.map(({ chunk }) => String(chunk))); callback(); },
});
stream.cork();
stream.write('a', () => console.log('a'));
stream.write('b');
stream.cork();
stream.write('c', () => console.log('c'));
stream.uncork();
console.log(stream.writableCorked, stream.writableLength);
process.nextTick(() => { console.log('tick'); stream.uncork(); stream.write('d', () => console.log('d')); stream.cork(); stream.write('e'); stream.end('f', () => console.log('end')); });
stream.on('finish', () => console.log('finish'));
