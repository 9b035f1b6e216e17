// 'readable' and read(): how much there is, and when.
const { Readable } = require('stream');

const source = new Readable({ highWaterMark: 4, read(size) { console.log('read', size); } });
source.on('readable', () => {
  console.log('readable', source.readableLength);
  for (let chunk; (chunk = source.read(3)) !== null;) console.log('got', String(chunk));
  console.log('left', source.readableLength);
});
source.on('end', () => console.log('end', source.readableEnded));
console.log(source.push('abcde'), source.push('f'));
setTimeout(() => { console.log(source.push('gh')); source.push(null); }, 2);
