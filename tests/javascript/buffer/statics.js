// The members of the module, of Buffer, and of its prototype: their order, names and lengths, and how Buffer is shown.
'use strict';
var buffer = require('buffer');
var major = parseInt(process.version.slice(1), 10);
var left = { Blob: 1, File: 1, resolveObjectURL: 1 };  // which loopsim has not
function membersOf(object, label) {
  Object.getOwnPropertyNames(object).concat(Object.getOwnPropertySymbols(object)).forEach(function (key) {
    if (object === buffer && left[key]) return;
    if (typeof key === 'symbol' && major < 6) return;  // which nothing had, and here inspect() and subarray() need
    if (typeof key === 'symbol' && /util.inspect.custom/.test(String(key))) key = require('util').inspect.custom;
    var of = Object.getOwnPropertyDescriptor(object, key);
    var is = (of.enumerable ? 'e' : '-') + (of.writable ? 'w' : '-') + (of.configurable ? 'c' : '-');
    var what = typeof of.value === 'function' ? 'function ' + of.value.name + ' ' + of.value.length : of.get ? 'getter' : typeof of.value === 'object' ? 'object' : String(of.value);
    console.log(label, typeof key === 'symbol' && major < 12 ? 'symbol' : String(key), is, what);
  });
}
membersOf(buffer, 'buffer');
membersOf(Buffer, 'Buffer');
membersOf(Buffer.prototype, 'prototype');
if (buffer.SlowBuffer) membersOf(buffer.SlowBuffer, 'SlowBuffer');
if (buffer.constants) membersOf(buffer.constants, 'constants');
console.log(Object.getPrototypeOf(Buffer) === Uint8Array, Object.getPrototypeOf(Buffer.prototype) === Uint8Array.prototype, buffer.Buffer === Buffer);
var global_ = Object.getOwnPropertyDescriptor(global, 'Buffer');
console.log(Object.keys(global_).join(), global_.enumerable, global_.configurable);
console.log(Buffer.from('abc').constructor.name, Buffer.from('abc') instanceof Uint8Array, Object.prototype.toString.call(Buffer.alloc(1)));
if (major > 4) console.log(Buffer.from([1, 2, 3]).map(function (x) { return 2 * x; }), Buffer.from([1, 2, 3]).filter(function (x) { return x > 1; }));
if (major > 6) console.log(Buffer.from([1, 2, 3]).subarray(1));
if (major >= 8 && major !== 11) console.log(Buffer);
console.log(Buffer.from('abc').parent === Buffer.from('abc').buffer, typeof Buffer.from('abc').parent, Buffer.alloc(3).offset, Buffer.prototype.parent);
console.log([Buffer.isEncoding('raw'), Buffer.isEncoding('UTF8'), Buffer.isEncoding(), Buffer.isBuffer(new Uint8Array(1)), Buffer.isBuffer(Object.create(Buffer.prototype))].join());
console.log(Buffer.byteLength(new ArrayBuffer(3)), Buffer.byteLength(Buffer.from('\u20ac')), Buffer.byteLength('\u20ac'), Buffer.byteLength('\u20ac', 'ascii'));
if (Buffer.copyBytesFrom) {
  [[], [5], [[1]], [new Uint16Array([1, 2, 3])], [new Uint16Array([1, 2, 3]), 1], [new Uint16Array([1, 2, 3]), 1, 1], [new Uint16Array([1, 2, 3]), 4],
    [new Uint16Array([1, 2, 3]), 0, 9], [new Uint16Array(0)], [new Uint16Array([1, 2]), -1], [new Uint16Array([1, 2]), 0, -1],
    [new Uint16Array([1, 2]), 1.5], [new Uint16Array([1, 2]), '1'], [new DataView(new ArrayBuffer(2))], [new Float64Array([1.5])]].forEach(function (args) {
    try { console.log(Buffer.copyBytesFrom.apply(Buffer, args)); } catch (error) { console.log(error.name, error.code, error.message); }
  });
}
if (Buffer.of !== Uint8Array.of) console.log(Buffer.of(1, 256, '3'), Buffer.of());
