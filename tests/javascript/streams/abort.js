// Streams and AbortSignals.
const { Readable, Writable, addAbortSignal } = require('stream');
const controller = new AbortController();
const source = addAbortSignal(controller.signal, new Readable({ read() {} }));
source.on('error', (error) => console.log('source', error.name, error.code));
source.on('close', () => console.log('source: close'));
const sink = new Writable({ signal: controller.signal, write(chunk, encoding, callback) { callback(); } });
sink.on('error', (error) => console.log('sink', error.name, error.code));
setTimeout(() => { controller.abort(); console.log(source.destroyed, sink.destroyed); }, 1);
const gone = new Readable({ signal: AbortSignal.abort(), read() {} });
gone.on('error', (error) => console.log('gone', error.name));
try { addAbortSignal('signal', source); } catch (error) { console.log(error.code); }
