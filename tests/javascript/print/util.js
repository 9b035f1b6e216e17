const u = require('util');
console.log(u.inspect.custom, u.promisify.custom);
const p = u.promisify((a, b, cb) => cb(null, a + b)); p(1, 2).then(console.log); const q = u.promisify((cb) => cb(new Error('pe')));
q().catch((e) => console.log(e.message));
function cf() {} cf[u.promisify.custom] = () => Promise.resolve('custom'); u.promisify(cf)().then(console.log);
u.callbackify(async (x) => x * 2)(4, (e, v) => console.log(e, v)); u.callbackify(() => Promise.reject(null))((e) => console.log(e.message,
  e.code, e.reason));
try { u.promisify(3) } catch (e) { console.log(e.message, e.code, e.name) }
function Old() {} function Base() {} Base.prototype.hi = () => 'hi'; u.inherits(Old, Base); console.log(new Old().hi(),
  Old.super_ === Base, new Old());
console.log(u.format('%s %O', { a: 1, b: { c: {} } }, { a: 1 }), u.stripVTControlCharacters('\u001b[31mred\u001b[0m'));
const log2 = u.debuglog('foo'); log2('nothing'); console.log(log2.enabled);
console.log(new TextEncoder().encode('aé€😀'), new TextDecoder().decode(new Uint8Array([0x61, 0xc3, 0xa9, 0xff, 0xe2, 0x82])),
  new TextDecoder('utf-16le').encoding);
console.log(u.types.isMap(new Map()), u.isDeepStrictEqual(new Set([1]), new Set([1])), u.inspect('a', { colors: true }),
  u.inspect(new Date(NaN)));
