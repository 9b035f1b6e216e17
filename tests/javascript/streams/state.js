// What a stream says of itself, at each step.
const { Duplex } = require('stream');
const stream = new Duplex({ allowHalfOpen: false, read() {}, write(chunk, encoding, callback) { setImmediate(callback); } });
const names = ['readable', 'writable', 'readableFlowing', 'readableLength', 'readableEnded', 'writableLength', 'writableEnded', 'writableFinished',
               'writableNeedDrain', 'destroyed', 'closed', 'errored', 'readableAborted', 'writableAborted', 'readableDidRead'];
const show = (when) => console.log(when, names.map((name) => `${name}=${stream[name]}`).join(' '));
show('new');
stream.write('abc');
stream.push('de');
show('written');
stream.on('data', () => show('data'));
stream.on('end', () => show('end'));
stream.on('finish', () => show('finish'));
stream.on('close', () => show('close'));
setTimeout(() => { stream.push(null); show('pushed null'); }, 20);
