// for await over a stream: leaving it destroys it; errors come out of it.
const { Readable } = require('stream');
function numbers(name) {
  let n = 0;
  const stream = new Readable({ objectMode: true, highWaterMark: 2, read() { this.push(++n > 4 ? null : n); } });
  stream.on('close', () => console.log(name, 'close', stream.destroyed));
  stream.on('error', (error) => console.log(name, 'error', error.message));
  return stream;
}
(async () => {
  for await (const n of numbers('all')) console.log('all', n);
  for await (const n of numbers('broken off')) { console.log('broken off', n); if (n === 2) break; }
  try {
    for await (const n of numbers('thrown')) { if (n === 2) throw new Error('mine'); }
  } catch (error) { console.log('caught', error.message); }
  const failing = numbers('failing');
  setTimeout(() => failing.destroy(new Error('gone')), 2);
  try {
    for await (const n of failing) { console.log('failing', n); await new Promise((resolve) => setTimeout(resolve, 3)); }
  } catch (error) { console.log('caught', error.message); }
  const early = numbers('early');
  early.destroy();
  try { for await (const n of early) console.log(n); console.log('early: nothing'); } catch (error) { console.log('early', error.code); }
})();
