// Ticks of streams between those of the program.
const { PassThrough, Writable } = require('stream');
const log = [];
const sink = new Writable({ write(chunk, encoding, callback) { log.push(`write ${chunk}`); callback(); } });
process.nextTick(() => log.push('tick 1'));
sink.write('a', () => log.push('a written'));
process.nextTick(() => log.push('tick 2'));
sink.write('b');
process.nextTick(() => log.push('tick 3'));
sink.end(() => log.push('ended'));
sink.on('finish', () => log.push('finish'));
process.nextTick(() => { log.push('tick 4'); process.nextTick(() => log.push('tick 5')); });
Promise.resolve().then(() => log.push('microtask'));
const pass = new PassThrough();
pass.on('data', (chunk) => log.push(`data ${chunk}`));
pass.on('end', () => log.push('end'));
pass.end('p');
setImmediate(() => { log.push('immediate'); console.log(log.join('\n')); });
