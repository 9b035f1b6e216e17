// captureRejections: a listener's promise that is rejected destroys the stream.
const { Readable, Writable } = require('stream');
const source = new Readable({ captureRejections: true, read() { this.push('x'); this.push(null); } });
source.on('data', async () => { throw new Error('of the listener'); });
source.on('error', (error) => console.log('error', error.message));
source.on('close', () => console.log('close'));
const sink = new Writable({ captureRejections: true, write(chunk, encoding, callback) { callback(); } });
sink.on('finish', async () => { throw new Error('late'); });
sink.on('error', (error) => console.log('sink', error.message));
sink.on('close', () => console.log('sink: close'));
sink.end('x');
