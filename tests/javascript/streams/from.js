// Readable.from(): arrays, generators, promises, strings, and its errors.
const { Readable } = require('stream');
async function show(name, source) {
  const chunks = [];
  try {
    for await (const chunk of source) chunks.push(chunk);
    console.log(name, chunks);
  } catch (error) {
    console.log(name, chunks, error.code, error.message);
  }
}
(async () => {
  await show('array', Readable.from([1, 'two', { three: 3 }]));
  await show('string', Readable.from('text'));
  await show('buffer', Readable.from(Buffer.from('bytes')));
  await show('promises', Readable.from([Promise.resolve('a'), 'b']));
  await show('generator', Readable.from(function* () { yield 1; yield 2; }()));
  await show('async', Readable.from((async function* () { yield 'x'; await null; yield 'y'; })()));
  await show('throws', Readable.from((async function* () { yield 'x'; throw new Error('broken'); })()));
  await show('null', Readable.from([1, null]));
  try { Readable.from(5); } catch (error) { console.log(error.code, error.message); }
})();
