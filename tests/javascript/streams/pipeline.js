// pipeline() with a callback: success, failures at each place, generators.
const { pipeline, Readable, Transform, Writable, PassThrough } = require('stream');
const source = () => Readable.from(['a', 'b', 'c']);
const upper = () => new Transform({ objectMode: true, transform(chunk, encoding, callback) { callback(null, String(chunk).toUpperCase()); } });
const sink = (name, fails) => new Writable({ objectMode: true, write(chunk, encoding, callback) { console.log(name, String(chunk)); callback(fails && new Error('no')); } });
const told = (name) => (error, value) => console.log(name, error ? `${error.code} ${error.message}` : 'done', value);

pipeline(source(), upper(), sink('one'), told('one'));
pipeline(source(), sink('two', true), told('two'));
const closing = new PassThrough();
pipeline(closing, sink('three'), told('three'));
closing.write('x');
setImmediate(() => closing.destroy());
pipeline(source(), async function* (chunks) { for await (const chunk of chunks) yield `${chunk}!`; }, sink('four'), told('four'));
pipeline(source(), async function (chunks) { let all = ''; for await (const chunk of chunks) all += chunk; return all; }, told('five'));
pipeline(async function* () { yield 'only'; throw new Error('source'); }, sink('six'), told('six'));
try { pipeline(source(), told('seven')); } catch (error) { console.log(error.code, error.message); }
try { pipeline(source(), sink('eight')); } catch (error) { console.log(error.code, error.message); }
