// Exceptions in a stream's own functions, and in listeners.
const { Readable, Writable, Transform } = require('stream');
process.on('uncaughtException', (error) => console.log('uncaught', error.message));
const source = new Readable({ read() { throw new Error('in read'); } });
source.on('error', (error) => console.log('source', error.message));
source.on('close', () => console.log('source close'));
source.resume();
const sink = new Writable({ write() { throw new Error('in write'); } });
sink.on('error', (error) => console.log('sink', error.message));
try { sink.write('x'); } catch (error) { console.log('thrown', error.message); }
const final = new Writable({ write(chunk, encoding, callback) { callback(); }, final() { throw new Error('in final'); } });
final.on('error', (error) => console.log('final', error.message));
final.end();
const listener = new Readable({ read() {} });
listener.on('data', () => { throw new Error('in a listener'); });
listener.push('x');
listener.on('close', () => console.log('listener close'));
setImmediate(() => { listener.destroy(); new Readable({ read() {} }).destroy(new Error('nobody listens')); });
