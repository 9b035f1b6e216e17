// A program that uses much of Node's library, and of the language no more than it must: tampering.py runs it while a function of it is
// another one. Each part says what it got, or what was thrown. `LATER` is where the tampering goes that comes while the library runs.
'use strict';
const util = require('util');
const EventEmitter = require('events');
const stream = require('stream');
const fs = require('fs');
const net = require('net');
const zlib = require('zlib');
const path = require('path');
const url = require('url');
const querystring = require('querystring');
const assert = require('assert');
const crypto = require('crypto');
const readline = require('readline');
const asyncHooks = require('async_hooks');
const { performance, PerformanceObserver } = require('perf_hooks');
const { StringDecoder } = require('string_decoder');
let MessageChannel;
try { ({ MessageChannel } = require('worker_threads')); } catch (error) { /* Node 10 */ }
const sleep = util.promisify(setTimeout);

async function part(name, run) {
  let text;
  try {
    text = await run();
  } catch (error) {
    text = 'threw ' + error.name + ' ' + error.code + ' ' + error.message;
  }
  process.stdout.write(name + ': ' + text + '\n');
}
const promised = (run) => new Promise((resolve, reject) => run((error, value) => (error ? reject(error) : resolve(value))));

async function parts() {
  await part('timers', async () => {
    let told = '';
    clearTimeout(setTimeout(() => { told += 'never'; }, 1));
    process.nextTick((a) => { told += a; }, 't');
    if (typeof queueMicrotask === 'function') queueMicrotask(() => { told += 'q'; }); // not in Node 10
    await new Promise((resolve) => setTimeout((a, b) => { told += a + b; resolve(); }, 1, 'x', 'y'));
    await new Promise((resolve) => setImmediate((a) => { told += a; resolve(); }, 'm'));
    await new Promise((resolve) => {
      const timer = setInterval(() => { told += 'i'; clearInterval(timer); resolve(); }, 2);
    });
    await sleep(1);
    return told;
  });
  await part('events', async () => {
    const emitter = new EventEmitter();
    let told = '';
    emitter.on('newListener', (name) => { told += '+' + name; });
    const listener = (a, b) => { told += a + b; };
    emitter.on('x', listener);
    emitter.once('x', function (a) { told += a + (this === emitter); });
    emitter.prependListener('x', (a, b, c, d) => { told += d; });
    emitter.emit('x', 1, 2, 3, 4);
    emitter.removeListener('x', listener);
    emitter.emit('x', 5);
    told += emitter.listenerCount('x') + emitter.eventNames().length + emitter.listeners('x').length;
    emitter.removeAllListeners();
    setImmediate(() => emitter.emit('late', 'value'));
    const got = await EventEmitter.once(emitter, 'late');
    try {
      emitter.emit('error', new Error('unheard'));
    } catch (error) {
      told += error.message;
    }
    return told + got[0];
  });
  await part('streams', async () => {
    let told = '';
    const upper = new stream.Transform({ transform(chunk, encoding, callback) { callback(null, chunk + '!'); } });
    const sink = new stream.Writable({ write(chunk, encoding, callback) { told += chunk; setImmediate(callback); }, highWaterMark: 2 });
    const source = new stream.Readable({ read() {} });
    source.push('abc');
    source.push(Buffer.from('def'));
    source.push(null);
    await promised((callback) => stream.pipeline(source, upper, sink, callback));
    const through = new stream.PassThrough();
    through.setEncoding('utf8');
    through.on('data', (chunk) => { told += '<' + chunk + '>'; });
    through.cork();
    through.write('1');
    through.end('2');
    await promised((callback) => stream.finished(through, callback));
    return told;
  });
  await part('fs', async () => {
    let told = '';
    try {
      fs.readFileSync('/nowhere/at/all');
    } catch (error) {
      told += error.code;
    }
    await new Promise((resolve) => fs.stat('/nowhere', (error) => { told += error.code; resolve(); }));
    try {
      await fs.promises.readFile('/nowhere/else');
    } catch (error) {
      told += error.message;
    }
    return told;
  });
  await part('net', async () => {
    let told = '';
    const server = net.createServer((socket) => {
      socket.on('data', (chunk) => { told += chunk; socket.end('bye'); });
    });
    await promised((callback) => server.listen(0, '127.0.0.1', callback));
    const client = net.connect(server.address().port, '127.0.0.1');
    client.setEncoding('utf8');
    client.write('hello');
    client.on('data', (text) => { told += text; });
    await promised((callback) => client.on('close', () => callback(null)));
    await promised((callback) => server.close(callback));
    return told + net.isIP('::1');
  });
  await part('zlib', async () => {
    const packed = await promised((callback) => zlib.gzip('aaaaaaaaaaaaaaaa', callback));
    return '' + zlib.gunzipSync(packed) + zlib.inflateSync(zlib.deflateSync(Buffer.from('xyz')));
  });
  await part('buffer', () => {
    const bytes = Buffer.concat([Buffer.from('ab'), Buffer.from('6364', 'hex'), Buffer.alloc(2, 'z')]);
    bytes.writeUInt16BE(0x4142, 4);
    return bytes.toString() + bytes.toString('base64') + bytes.slice(1, 3) + bytes.indexOf('c') + bytes.equals(Buffer.from('x')) +
      bytes.includes('d') + Buffer.compare(bytes, Buffer.from('b')) + Buffer.byteLength('ä') + bytes.readUInt16LE(0) + util.inspect(bytes);
  });
  await part('inspect', () => util.inspect({
    a: [1, 'two', , { three: [[]] }], m: new Map([[{ k: 1 }, 'v']]), s: new Set(['x']), f() {}, r: /x/g, d: new Date(0), n: null,
    y: Symbol('y'), p: Promise.resolve(4), b: new Uint8Array(3), get g() { return 1; }, 'needs quotes': 1n,
    long: 'a text that is rather long and does not fit into it',
  }));
  await part('format', () => util.format('%s %d %i %j %o %%', 'a', 1.5, '7', { j: [1] }, [1], 'rest', { x: 1 }));
  await part('assert', () => {
    let told = '';
    assert.deepStrictEqual({ a: [1, new Map([[1, new Set([2])]])] }, { a: [1, new Map([[1, new Set([2])]])] });
    assert.throws(() => { throw new TypeError('bad'); }, TypeError);
    try {
      assert.deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] });
    } catch (error) {
      told += error.code + error.message;
    }
    try {
      assert.strictEqual('a', 'b', 'of mine');
    } catch (error) {
      told += error.message;
    }
    return told;
  });
  await part('url', () => {
    const it = new URL('http://user@example.org:8080/a/../b?x=1&y=2#h');
    it.searchParams.append('z', 'ä b');
    return it.href + it.searchParams.get('y') + url.parse('http://a.b/c?d=e').pathname + new URLSearchParams({ q: '1' });
  });
  await part('querystring', () => querystring.stringify({ a: ['1', '2'], b: 'ü' }) + querystring.parse('a=1&a=2&b=%20').a.length);
  await part('path', () => path.join('/a', '..', 'b', './c.js') + path.relative('/a/b', '/a/c/d') + path.extname('x.tar.gz') +
    path.resolve('/x', 'y'));
  await part('crypto', async () => {
    const hash = crypto.createHash('sha256').update('a').update(Buffer.from('b')).digest('hex');
    const key = await promised((callback) => crypto.pbkdf2('p', 's', 2, 8, 'sha1', callback));
    return hash + key.toString('hex') + crypto.createHmac('md5', 'k').update('v').digest('base64');
  });
  await part('string_decoder', () => {
    const decoder = new StringDecoder('utf8');
    return decoder.write(Buffer.from([0xe2, 0x82])) + decoder.write(Buffer.from([0xac])) + decoder.end();
  });
  await part('readline', async () => {
    let told = '';
    const input = new stream.PassThrough();
    const lines = readline.createInterface({ input });
    lines.on('line', (line) => { told += '[' + line + ']'; });
    input.write('one\ntw');
    input.end('o\r\nthree');
    await promised((callback) => lines.on('close', () => callback(null)));
    return told;
  });
  await part('async_hooks', async () => {
    const storage = new asyncHooks.AsyncLocalStorage();
    let told = '';
    const hook = asyncHooks.createHook({ init(id, type) { if (type === 'Timeout') told += type; } }).enable();
    await storage.run({ id: 7 }, async () => {
      await sleep(1);
      told += storage.getStore().id;
    });
    hook.disable();
    return told;
  });
  await part('perf_hooks', async () => {
    let told = '';
    const observer = new PerformanceObserver((list) => { told += list.getEntries()[0].name; });
    observer.observe({ entryTypes: ['mark'] });
    performance.mark('here');
    await sleep(2);
    observer.disconnect();
    return told + typeof performance.now();
  });
  await part('ports', async () => {
    const { port1, port2 } = new MessageChannel();
    let told = '';
    const got = promised((callback) => port2.on('message', (value) => callback(null, value)));
    port1.postMessage({ a: [1, new Map([[1, 2]])], d: new Date(5) });
    const value = await got;
    told += value.a[1].size + value.d.getTime();
    port1.close();
    await promised((callback) => port2.on('close', () => callback(null)));
    return told;
  });
  await part('abort', async () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    return EventEmitter.once(new EventEmitter(), 'x', { signal: controller.signal });
  });
  await part('errors', () => {
    let told = '';
    const mistakes = [() => setTimeout('x'), () => Buffer.from(5), () => fs.readFileSync({}), () => require('./nowhere.js'),
                      () => new URL('x')];
    for (const wrong of mistakes) {
      try {
        wrong();
      } catch (error) {
        told += error.name + error.code + error.message;
      }
    }
    return told;
  });
  await part('console', () => {
    console.log('%s', 'logged', { a: 1 });
    console.group('group');
    console.log('inside\nof it');
    console.groupEnd();
    console.table([{ a: 1, b: 'x' }, { a: 2 }]);
    console.count();
    console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 });
    return 'done';
  });
  process.on('exit', (code) => process.stdout.write('exit ' + code + '\n'));
}
/* LATER */
setImmediate(parts);
