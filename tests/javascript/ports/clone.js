// structuredClone: what is copied, and what cannot be.
'use strict';
const util = require('util');
const cyclic = { name: 'c', list: [1, , 3], nested: { deep: true } };
cyclic.self = cyclic;
cyclic.list.push(cyclic.nested);
const copy = structuredClone(cyclic);
console.log(copy !== cyclic, copy.self === copy, copy.list[3] === copy.nested, copy.list.length, 1 in copy.list);
const map = new Map([['k', new Set([1, 'two', { three: 3 }])], [{}, new Date(5)]]);
const m = structuredClone(map);
console.log(m instanceof Map, m.size, [...m.get('k')][2].three, [...m.values()][1].getTime());
const r = structuredClone(/a+/gi);
console.log(r.source, r.flags, r.lastIndex, r instanceof RegExp);
class Point { constructor() { this.x = 1; } get y() { return 2; } }
const p = structuredClone(new Point());
console.log(p.constructor.name, p.x, p.y);
console.log(structuredClone({ get z() { return 'got'; } }).z);
const error = new RangeError('range', { cause: { why: 1 } });
error.extra = 'lost';
const e = structuredClone(error);
console.log(e instanceof RangeError, e.name, e.message, e.cause.why, e.extra, e.stack === error.stack);
class Mine extends Error {}
console.log(structuredClone(new Mine('m')).constructor.name);
const bytes = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
const b = structuredClone(bytes);
console.log(b, b.buffer.byteLength, b.byteOffset);
console.log(structuredClone(new DataView(new ArrayBuffer(3))).byteLength, structuredClone(Object(5n)), structuredClone(new String('s')));
const buffer = new ArrayBuffer(8);
const moved = structuredClone({ buffer }, { transfer: [buffer] });
console.log(buffer.byteLength, moved.buffer.byteLength);
console.log([null, undefined, -0, 'x', 10n].map((x) => structuredClone(x)));
for (const bad of [() => {}, Symbol('s'), Promise.resolve(), new WeakMap(), { f() {} }, [Symbol.iterator], new WeakSet()]) {
  try { console.log(structuredClone(bad)); } catch (x) { console.log(x.name, x.code, x.message, x instanceof DOMException); }
}
const shown = { hidden: { value: 1 }, shown: { value: 2, enumerable: true } };
console.log(util.inspect(structuredClone(Object.create({ inherited: 1 }, shown))));
