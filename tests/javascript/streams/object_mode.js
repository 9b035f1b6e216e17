// Objects, and strings with an encoding.
const { Readable, Transform, PassThrough } = require('stream');
const lengths = new Transform({
  writableObjectMode: true,
  transform(object, encoding, callback) { callback(null, JSON.stringify(object)); },
});
lengths.setEncoding('utf8');
lengths.on('data', (text) => console.log(typeof text, text));
lengths.write({ a: 1 });
lengths.write([1, 2]);
lengths.end('text');
console.log(lengths.writableObjectMode, lengths.readableObjectMode, lengths.writableHighWaterMark > 0, lengths.readableHighWaterMark > 0);

const euro = new PassThrough();
euro.setEncoding('utf8');
euro.on('data', (text) => console.log('euro', JSON.stringify(text)));
const bytes = Buffer.from('a€b');
euro.write(bytes.subarray(0, 2));
euro.write(bytes.subarray(2, 3));
euro.end(bytes.subarray(3));

const hex = new Readable({ read() {}, encoding: 'hex' });
hex.push('hello');
hex.push(null);
hex.on('data', (text) => console.log('hex', text));
