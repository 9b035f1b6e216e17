// finished(): when it is told, against the events.
const { finished, PassThrough, Readable, Writable } = require('stream');
const told = (name) => (error) => console.log(name, error ? error.code || error.message : 'ok');
const both = new PassThrough();
finished(both, told('both'));
finished(both, { readable: false }, told('writable side'));
finished(both, { writable: false }, told('readable side'));
for (const event of ['end', 'finish', 'close']) both.on(event, () => console.log('both', event));
both.resume();
both.end('x');

const stop = finished(new PassThrough(), told('never'));
stop();
const failed = new Readable({ read() {} });
finished(failed, told('failed'));
failed.on('error', (error) => console.log('event', error.message));
failed.destroy(new Error('bad'));
const over = new Writable({ write(chunk, encoding, callback) { callback(); } });
over.end();
over.on('close', () => finished(over, told('over already')));
try { finished({}, () => {}); } catch (error) { console.log(error.code); }
