// A Hash and an Hmac are streams, too: what is written is hashed, and what can be read is the digest.
const crypto = require('crypto');
const stream = require('stream');
const fs = require('fs');

const say = console.log.bind(console);
const first = crypto.createHash('sha1');
say('kinds', first instanceof stream.Transform, typeof first.pipe, Object.getPrototypeOf(crypto.Hash.prototype) === stream.Transform.prototype);
first.setEncoding('hex');
first.on('readable', () => { const data = first.read(); if (data) say('readable', data); });
first.on('finish', () => say('finish'));
first.on('end', () => say('end'));
first.on('close', () => say('close'));
say('write', first.write('some data'), first.write(Buffer.from(' and more')));
first.end('!');
say('sync');
process.nextTick(() => say('tick'));
Promise.resolve().then(() => say('microtask'));
setImmediate(() => say('immediate'));

const file = fs.createReadStream(__filename);
const second = crypto.createHash('md5');
file.on('end', () => say('file end'));
file.pipe(second).on('finish', () => {
  [1, 2].forEach(() => {
    try { say('file hash', second.digest('hex').length); } catch (error) { say(error.message); }
  });
  piped();
});

function piped() {
  const out = new stream.PassThrough();
  out.on('data', (data) => say('data', data.length));
  out.on('end', () => { say('piped'); hmac(); });
  const third = crypto.createHash('sha256');
  third.pipe(out);
  third.write('a');
  third.update('b');
  third.end();
}

function hmac() {
  const it = crypto.createHmac('sha256', 'key');
  say('hmac', it instanceof stream.Transform);
  it.on('data', (data) => say('hmac data', data.toString('hex')));
  it.on('end', () => { say('hmac end'); objects(); });
  it.write('abc', 'utf8');
  it.end(() => say('ended'));
}

function objects() {
  const it = crypto.createHash('sha1');
  try { it.write(5); } catch (error) { say('number', error.code); }
  it.on('error', (error) => say('error', error.code));
  const other = crypto.createHash('sha1');
  other.end('x');
  setTimeout(() => say('read', other.read() !== null, other.read()), 2);
}
