// A sink that is slower than its source, with await and once().
const { Writable } = require('stream');
const { once } = require('events');
const sink = new Writable({ highWaterMark: 4, write(chunk, encoding, callback) { setTimeout(() => { console.log('took', String(chunk)); callback(); }, 2); } });
(async () => {
  for (const word of ['one', 'two', 'three', 'four']) {
    const fits = sink.write(word);
    console.log(word, fits, sink.writableLength);
    if (!fits) await once(sink, 'drain');
  }
  sink.end();
  await once(sink, 'finish');
  console.log('finished');
})();
