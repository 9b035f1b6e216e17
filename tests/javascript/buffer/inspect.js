// How buffers are shown.
'use strict';
var buffer = require('buffer');
var util = require('util');
var major = parseInt(process.version.slice(1), 10);
console.log(Buffer.from('abc'), [Buffer.from('ab')], { of: Buffer.alloc(2) }, Buffer.alloc(0), [Buffer.alloc(0)]);
console.log(Buffer.alloc(50, 1));
console.log(Buffer.alloc(51, 1));
console.log(Buffer.alloc(99, 1));
if (major >= 8) console.log(util.inspect([[[Buffer.from('ab')]]], { depth: 1 }));
console.log(util.inspect(Buffer.from('ab'), { depth: 0 }), util.format('%s %j', Buffer.from('a'), Buffer.from('a')));
console.log(String(Buffer.from('a\u20ac')), Buffer.from('abc') + '', Buffer.from('abc').toLocaleString(), Buffer.from('abc').inspect());
class Other extends Uint8Array {}
var other = Buffer.from('ab');
Object.setPrototypeOf(other, Object.create(Buffer.prototype, { constructor: { value: Other } }));
console.log(other);
if (major >= 12) {
  var more = Buffer.from('ab');
  more.name = 'x';
  more.list = [1, { a: { b: {} } }];
  console.log(more, [more]);
  Object.defineProperty(more, 'hidden', { value: 1 });
  console.log(util.inspect(more, { showHidden: true }));
  var empty = Buffer.alloc(0);
  empty.only = true;
  console.log(empty);
}
[2, 0, Infinity].forEach(function (most) {
  buffer.INSPECT_MAX_BYTES = most;
  if (most !== 0 || major > 4) console.log(buffer.INSPECT_MAX_BYTES, Buffer.from('abcd'), Buffer.from('abc'), Buffer.from('ab'));
});
[undefined, 'a', NaN, -1].forEach(function (most) {
  if (major < 20) return;
  try { buffer.INSPECT_MAX_BYTES = most; } catch (error) { console.log(error.name, error.code, error.message); }
});
console.log(buffer.INSPECT_MAX_BYTES);
