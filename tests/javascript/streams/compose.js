// compose(), Duplex.from().
const { compose, Duplex, Readable, Transform } = require('stream');
const upper = new Transform({ transform(chunk, encoding, callback) { callback(null, String(chunk).toUpperCase()); } });
(async () => {
  const composed = compose(upper, async function* (source) { for await (const chunk of source) yield `<${chunk}>`; });
  composed.end('hello');
  let text = '';
  for await (const chunk of composed) text += chunk;
  console.log(text);
  const duplex = Duplex.from(async function* (source) { for await (const chunk of source) yield String(chunk).length; });
  duplex.write('four');
  duplex.end('sixsix');
  const lengths = [];
  for await (const n of duplex) lengths.push(n);
  console.log(lengths);
  const fromPromise = Duplex.from(Promise.resolve('value'));
  for await (const value of fromPromise) console.log(value, fromPromise.writable);
})();
