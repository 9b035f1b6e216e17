// destroy(): with callbacks that wait, a _destroy() of its own, and construct().
const { Writable, Readable, Duplex } = require('stream');
const told = (name) => (error) => console.log(name, error ? `${error.code} ${error.message}` : error);
const waiting = new Writable({ write() { console.log('never calls back'); }, destroy(error, callback) { console.log('_destroy', error); callback(error); } });
waiting.write('a', told('a'));
waiting.write('b', told('b'));
waiting.end(told('end'));
waiting.on('close', () => console.log('close'));
waiting.on('error', told('error'));
waiting.destroy();
console.log(waiting.destroyed, waiting.writable, waiting.closed);

const made = new Readable({
  construct(callback) { console.log('construct'); setTimeout(() => { console.log('constructed'); callback(); }, 1); },
  read() { console.log('read'); this.push('x'); this.push(null); },
});
made.on('data', (chunk) => console.log('data', String(chunk)));
made.on('close', () => console.log('made: close'));

const failed = new Duplex({ construct(callback) { callback(new Error('cannot')); }, read() {}, write(chunk, encoding, callback) { callback(); } });
failed.write('x', told('write of the failed'));
failed.on('error', told('failed'));
failed.on('close', () => console.log('failed: close'));
