// stream/consumers.
const { Readable } = require('stream');
const { text, json, buffer, arrayBuffer } = require('stream/consumers');
(async () => {
  console.log(await text(Readable.from(['a', 'ü', Buffer.from('b')])));
  console.log(await json(Readable.from(['{"a":', '[1,2]}'])));
  console.log(await buffer(Readable.from([Buffer.from('ab'), Buffer.from('c')])));
  console.log(await arrayBuffer(Readable.from([Buffer.from('ab')])));
  await json(Readable.from(['{'])).catch((error) => console.log(error.name));
})();
