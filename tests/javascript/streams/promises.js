// stream/promises.
const { Readable, Writable, PassThrough, promises } = require('stream');
const { pipeline, finished } = require('stream/promises');
console.log(promises.pipeline === pipeline);
(async () => {
  const chunks = [];
  await pipeline(Readable.from(['a', 'b']), new Writable({ write(chunk, encoding, callback) { chunks.push(String(chunk)); callback(); } }));
  console.log('done', chunks);
  console.log(await pipeline(Readable.from([1, 2, 3]), async (all) => { let sum = 0; for await (const n of all) sum += n; return sum; }));
  try { await pipeline(Readable.from(['x']), new Writable({ write(chunk, encoding, callback) { callback(new Error('full')); } })); } catch (error) { console.log(error.message); }
  const ended = new PassThrough();
  ended.resume();
  ended.end('x');
  await finished(ended);
  console.log('finished', ended.destroyed);
  const cut = new PassThrough();
  setTimeout(() => cut.destroy(), 1);
  await finished(cut).catch((error) => console.log(error.code, error.message));
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 1);
  await pipeline(new PassThrough(), new PassThrough(), { signal: controller.signal }).catch((error) => console.log(error.name, error.code, error.message));
})();
