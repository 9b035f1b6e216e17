// 'finish' of sinks without _final(), that take their data now or later.
const { Writable } = require('stream');
for (const [name, later] of [['now', (callback) => callback()], ['tick', process.nextTick], ['immediate', setImmediate]]) {
  const sink = new Writable({ write(chunk, encoding, callback) { console.log(name, 'write'); later(callback); } });
  sink.on('finish', () => console.log(name, 'finish'));
  sink.on('close', () => console.log(name, 'close'));
  sink.write('a', () => { console.log(name, 'a'); process.nextTick(() => console.log(name, 'tick of a')); });
  sink.write('b');
  sink.end(() => console.log(name, 'end'));
  process.nextTick(() => console.log(name, 'tick'));
}
setImmediate(() => { console.log('immediate'); process.nextTick(() => console.log('tick of the immediate')); });
