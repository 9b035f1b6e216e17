// What of the memory that small buffers share a program can see. Its beginning is at an address that nothing fixes, in 26.
'use strict';
var major = parseInt(process.version.slice(1), 10);
var first = Buffer.from('abc');
console.log(Buffer.poolSize, major < 26 ? [first.byteOffset, first.buffer.byteLength].join() : '');
var from = first.byteOffset;
function place(buffer) { return buffer.buffer === first.buffer ? 'pool ' + (buffer.byteOffset - from) : 'own ' + buffer.byteOffset + ' ' + buffer.buffer.byteLength; }
[Buffer.from([1, 2, 3]), Buffer.allocUnsafe(5), Buffer.alloc(3), Buffer.from(first), Buffer.concat([first, first]), Buffer.allocUnsafeSlow(3),
  Buffer.from('\u20ac'), Buffer.from('YWJj', 'base64'), Buffer.from('616', 'hex'.slice(0, major > 6 ? 3 : 0)), Buffer.from('x'.repeat(30)), Buffer.from('\xe9'.repeat(30)),
  Buffer.allocUnsafe(1), Buffer.from({ length: 9 }), Buffer.from('ab', 'ucs2'), Buffer.allocUnsafe(8), Buffer.allocUnsafe(9), Buffer.allocUnsafe(1), first.slice(1)].forEach(function (buffer) {
  console.log(place(buffer), buffer.length);
});
if (major > 4) console.log([Buffer.from(''), Buffer.alloc(0), Buffer.allocUnsafe(0), Buffer.from([])].map(place).join());
console.log(place(Buffer.allocUnsafe(Buffer.poolSize / 2)), place(Buffer.from('x'.repeat(Buffer.poolSize / 2))));
var half = Buffer.allocUnsafe(Buffer.poolSize / 2 - 1);
console.log(place(half));
var next = Buffer.allocUnsafe(Buffer.poolSize / 2 - 8);
console.log(next.buffer === first.buffer, next.byteOffset - (major < 26 ? 0 : next.byteOffset), place(Buffer.from('x')).slice(0, 5));
Buffer.poolSize = 64;
var small = Buffer.allocUnsafe(40);
console.log(small.byteOffset, small.buffer.byteLength);
console.log([1, 2, 3].map(function () { return Buffer.allocUnsafe(30).buffer.byteLength < 100; }).join(''));
var memory = new ArrayBuffer(8);
var shared = Buffer.from(memory);
new Uint8Array(memory)[1] = 7;
console.log(shared, shared.buffer === memory, Buffer.from(memory, 2).byteOffset, Buffer.from(new Uint8Array(memory)).buffer === memory);
