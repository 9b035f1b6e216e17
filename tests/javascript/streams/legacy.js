// Old ways: Stream itself, util.inherits, wrap(), instanceof.
const Stream = require('stream');
const { inherits } = require('util');
const EventEmitter = require('events');
function Old() { Stream.call(this); this.readable = true; }
inherits(Old, Stream);
const old = new Old();
const wrapped = new Stream.Readable().wrap(old);
wrapped.on('data', (chunk) => console.log('wrapped', String(chunk)));
wrapped.on('end', () => console.log('end'));
old.emit('data', 'a');
old.emit('data', 'b');
old.emit('end');
const pass = new Stream.PassThrough();
console.log(old instanceof EventEmitter, pass instanceof Stream, pass instanceof Stream.Writable, pass instanceof Stream.Readable,
            new Stream.Writable() instanceof Stream.Readable, Stream === Stream.Stream);
function MyWritable() { if (!(this instanceof MyWritable)) return new MyWritable(); Stream.Writable.call(this); }
inherits(MyWritable, Stream.Writable);
MyWritable.prototype._write = function (chunk, encoding, callback) { console.log('mine', String(chunk)); callback(); };
MyWritable().end('chunk');
console.log(Object.keys(Stream).filter((name) => /^[A-Z]/.test(name)).sort().join());
