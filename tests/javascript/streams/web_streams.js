// Web streams: Node's own files.
const { ReadableStream, WritableStream, TransformStream, ByteLengthQueuingStrategy, CountQueuingStrategy } = require('stream/web');
const log = (...a) => console.log(...a);
(async () => {
  let n = 0;
  const rs = new ReadableStream({ start(c) { log('start'); }, pull(c) { log('pull', n); c.enqueue('v' + n++); if (n === 4) c.close(); }, cancel(r) { log('cancel', r); } }, new CountQueuingStrategy({ highWaterMark: 2 }));
  log(rs, rs.locked);
  const ws = new WritableStream({ write(c) { log('write', c); return new Promise((r) => setTimeout(r, 1)); }, close() { log('wclose'); }, abort(r) { log('abort', r); } });
  const ts = new TransformStream({ transform(c, k) { k.enqueue(c.toUpperCase()); }, flush(k) { k.enqueue('END'); } });
  await rs.pipeThrough(ts).pipeTo(ws);
  log('piped', rs, ws);
  const bs = new ReadableStream({ type: 'bytes', pull(c) { const v = c.byobRequest ? c.byobRequest.view : null; if (v) { v[0] = 7; c.byobRequest.respond(1); } else { c.enqueue(new Uint8Array([1, 2, 3])); c.close(); } } });
  const br = bs.getReader({ mode: 'byob' });
  log(await br.read(new Uint8Array(4)));
  br.releaseLock();
  const [a, b] = new ReadableStream({ start(c) { c.enqueue(1); c.enqueue(2); c.close(); } }).tee();
  for await (const x of a) log('a', x);
  for await (const x of b) log('b', x);
  const er = new ReadableStream({ start(c) { c.error(new Error('bad')); } });
  try { await er.getReader().read(); } catch (e) { log(e.message); }
  try { rs.getReader(); } catch (e) { log(e.code, e.name, e.message); }
  try { new ReadableStream({ type: 'x' }); } catch (e) { log(e.code, e.name, e.message); }
  const w2 = new WritableStream({}, new ByteLengthQueuingStrategy({ highWaterMark: 10 }));
  const wr = w2.getWriter();
  log(wr.desiredSize);
  wr.write(new Uint8Array(4)); log(wr.desiredSize); await wr.ready; await wr.close(); log('closed');
  await wr.closed.then(() => log('closed p'));
  if (ReadableStream.from) for await (const x of ReadableStream.from(['p', 'q'])) log(x);
  const { Readable } = require('stream');
  if (Readable.toWeb) { for await (const x of Readable.toWeb(Readable.from(['m', 'n']))) log('tw', String(x)); for await (const x of Readable.fromWeb(new ReadableStream({ start(c) { c.enqueue('k'); c.close(); } }))) log('fw', String(x)); }
})().catch((e) => console.log('FAIL', e));
