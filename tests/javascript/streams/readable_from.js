// Readable.from(): what is read ahead, and in which order its end, its close and an error come.
const { Readable, Writable, Transform, PassThrough, pipeline, finished } = require('stream');
const say = (...words) => console.log(...words);
function* numbers(name, count) {
  try {
    for (let i = 0; i < count; i++) {
      say(name, 'gives', i);
      yield `${name}${i}`;
    }
  } finally {
    say(name, 'is over');
  }
}
async function read(name, stop) {
  const stream = Readable.from(numbers(name, 4));
  stream.on('close', () => say(name, 'close')).on('end', () => say(name, 'end')).on('error', (error) => say(name, error.message));
  try {
    for await (const chunk of stream) {
      say(name, 'got', chunk);
      if (chunk.endsWith(String(stop))) break;
    }
  } catch (error) {
    say(name, 'failed', error.code, error.message);
  }
  say(name, 'destroyed', stream.destroyed);
}
function destroyedAtOnce() {
  const stream = Readable.from(numbers('d', 2));
  stream.on('close', () => say('d close')).on('error', (error) => say('d', error.message));
  stream.destroy(new Error('no more'));
}
function piped() {
  const slow = new Writable({ highWaterMark: 2, write(chunk, encoding, done) { say('w', String(chunk)); setImmediate(done); } });
  const upper = new Transform({ transform(chunk, encoding, done) { done(null, String(chunk).toUpperCase()); } });
  slow.on('finish', () => say('finish')).on('close', () => say('w close'));
  finished(upper, (error) => say('finished', error ? error.code : 'well'));
  pipeline(Readable.from(numbers('p', 3)), upper, slow, (error) => say('pipeline', error ? error.code : 'well'));
}
function unpiped() {
  const source = new PassThrough();
  const sink = new PassThrough();
  source.pipe(sink, { end: false });
  sink.on('unpipe', () => say('unpipe')).on('data', (chunk) => say('sink', String(chunk)));
  source.end('x');
  source.on('end', () => say('source end'));
}
(async () => {
  await read('a', 9);
  await read('b', 1);
  destroyedAtOnce();
  await new Promise(setImmediate);
  unpiped();
  piped();
})();
