// write(), its callback, 'drain' and 'finish', of a sink that takes all at once and of one that takes its time.
const { Writable } = require('stream');

function sink(name, isSlow) {
  const stream = new Writable({
    highWaterMark: 3,
    write(chunk, encoding, callback) {
      console.log(name, 'write', String(chunk), encoding);
      if (isSlow) setImmediate(callback);
      else callback();
    },
    final(callback) { console.log(name, 'final'); callback(); },
  });
  for (const event of ['drain', 'finish', 'close', 'prefinish']) stream.on(event, () => console.log(name, event));
  return stream;
}

for (const [name, isSlow] of [['fast', false], ['slow', true]]) {
  const stream = sink(name, isSlow);
  console.log(name, stream.write('ab', () => console.log(name, 'callback 1')), stream.writableLength);
  console.log(name, stream.write('cd', (...args) => console.log(name, 'callback 2', args.length, args[0] ?? 'nothing')), stream.writableNeedDrain);
  stream.end('e', () => console.log(name, 'callback of end'));
  process.nextTick(() => console.log(name, 'tick'));
  console.log(name, stream.writableEnded, stream.writableFinished);
}
