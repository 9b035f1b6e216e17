// Errors of streams: who is told, and in which order.
const { Readable, Writable, Transform } = require('stream');

const told = (name) => (error) => console.log(name, error ? `${error.name} ${error.code}: ${error.message}` : error);

const after = new Writable({ write(chunk, encoding, callback) { callback(); } });
after.on('error', told('after end'));
after.on('close', () => console.log('after end: close'));
after.end('x');
after.write('y', told('callback of the write'));

const failing = new Writable({ write(chunk, encoding, callback) { callback(new Error('disk full')); } });
failing.on('error', told('failing'));
failing.write('1', told('first'));
failing.write('2', told('second'));
failing.end(told('end'));

const destroyed = new Readable({ read() {} });
destroyed.on('error', told('destroyed'));
destroyed.on('close', () => console.log('destroyed: close', destroyed.destroyed, destroyed.errored && destroyed.errored.message));
destroyed.destroy(new Error('enough'));
destroyed.destroy(new Error('again'));
console.log(destroyed.push('late'));

const eof = new Readable({ read() {} });
eof.on('error', told('eof'));
eof.push(null);
eof.push('more');

const transform = new Transform({ transform(chunk, encoding, callback) { callback(new TypeError('not this')); } });
transform.on('error', told('transform'));
transform.end('chunk', told('end of the transform'));

for (const wrong of [1, {}, null, undefined]) {
  try { new Writable({ write() {} }).write(wrong); } catch (error) { told('thrown')(error); }
}
try { new Writable({ write() {} }).write('a', 'no such encoding'); } catch (error) { told('thrown')(error); }
