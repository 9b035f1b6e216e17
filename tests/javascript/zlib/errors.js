'use strict';
const zlib = require('zlib');
function attempt(fn) {
  try { console.log(String(fn).slice(6), '->', fn()); } catch (error) { console.log(String(fn).slice(6), '->', error.name, error.code, error.errno, error.message); }
}
attempt(() => zlib.gunzipSync(Buffer.alloc(20)));
attempt(() => zlib.inflateSync('x'));
attempt(() => zlib.gunzipSync(zlib.gzipSync('hello').subarray(0, 12)));
attempt(() => zlib.inflateSync(zlib.deflateSync('hello').subarray(0, 8)));
attempt(() => zlib.inflateRawSync(Buffer.from([255, 255, 255])));
attempt(() => { const bytes = zlib.deflateSync('hello'); bytes[bytes.length - 1] ^= 1; zlib.inflateSync(bytes); });
attempt(() => { const bytes = zlib.gzipSync('hello'); bytes[bytes.length - 8] ^= 1; zlib.gunzipSync(bytes); });
attempt(() => zlib.gzipSync());
attempt(() => zlib.gzipSync(5));
attempt(() => zlib.gzipSync('a', { level: 20 }));
attempt(() => zlib.gzipSync('a', { windowBits: 1 }));
attempt(() => zlib.gzipSync('a', { memLevel: 'x' }));
attempt(() => zlib.gzip('a'));
attempt(() => zlib.gunzipSync(zlib.gzipSync('a'.repeat(1000)), { maxOutputLength: 10 }));
