// stream/consumers and Blob, which are Node's own files.
const { Readable } = require('stream');
const { Blob } = require('buffer');
const consumers = require('stream/consumers');
(async () => {
  console.log(Object.keys(consumers).filter((name) => name !== 'bytes'));
  console.log(await consumers.text(Readable.from(['a', 'ü', Buffer.from('b')])));
  const blob = await consumers.blob(Readable.from(['ab', Buffer.from('cde')]));
  console.log(blob.size, blob.type, await blob.text(), await blob.slice(1, 3).text());
  console.log(Buffer.from(await blob.arrayBuffer()));
  const parts = [];
  for await (const part of blob.stream()) parts.push(part.length);
  console.log(parts);
  if (Blob) console.log(new Blob(['x', new Uint8Array([121])], { type: 'Text/Plain' }).type);
})();
