const util = require('util');
console.log({}, [], '', null, undefined, 0, -0, 1n, Symbol('s'), true, NaN);
console.log({ a: 1, 'b-c': 'x', [Symbol('k')]: 2, f() {}, g: () => {}, h: class A {}, i: class extends Map {}, async j() {}, *k() {},
  async *l() {} });
console.log([1, , 3], [undefined, null], new Array(5), Object.assign([1, 2], { x: 1 }));
console.log('str', ['str', "it's", 'a"b\'c', `\`'"`, 'new\nline', '\u0001\u001b[0m']);
console.log(new Map([['a', { b: 1 }], [{ c: 1 }, [1, 2]]]), new Set([1, 'x', [1]]), new WeakMap(), new WeakSet());
console.log(Promise.resolve(42), Promise.reject(new Error('r')).catch(() => {}) && new Promise(() => {}));
const rej = Promise.reject(3); rej.catch(() => {}); console.log(rej);
console.log(new Date(0), /re/gi, new Error('e').message, [new Date(NaN)]);
console.log([1.5, 2.25, 100, -3], Array.from({ length: 120 }, (_, i) => i));
console.log(Array.from({ length: 30 }, (_, i) => 'item' + i));
console.log({ a: { b: { c: { d: 1 } } } }, [[[[1]]]]);
const cyc = { name: 'c' }; cyc.self = cyc; cyc.list = [cyc]; console.log(cyc);
console.log(Object.create(null), Object.create({ x: 1 }), Object.create(class Foo {}.prototype));
class Foo { constructor() { this.x = 1 } get y() { return 2 } static z = 1 } console.log(new Foo(), Foo);
class Bar extends Foo { } console.log(new Bar(), Bar);
console.log(Object.assign(Object.create(null), { a: 1 }));
console.log(new Uint8Array([1, 2]), new Float64Array(2), new ArrayBuffer(4), new DataView(new ArrayBuffer(2)), Buffer.from('hi'));
console.log([new Boolean(true), new Number(3), new String('abc'), Object(1n), Object(Symbol('q'))]);
console.log((function () { return arguments })(1, 2), (function* () { })(), (async function* () {})());
console.log(new Proxy({ a: 1 }, {}), new Proxy(function f() {}, {}), util.inspect(new Proxy({ a: 1 }, {}), { showProxy: true }));
console.log({ get a() { return 1 }, set a(v) {}, get b() { return 1 }, set c(v) {} });
console.log(util.inspect({ a: [1, 2, { b: new Map([[1, { c: 2 }]]) }] }, { depth: 0 }), util.inspect({ a: { b: { c: { d: {} } } } },
  { depth: null }), util.inspect('x'.repeat(20), { maxStringLength: 5 }));
console.log(util.inspect({ b: 1, a: 2 }, { sorted: true, compact: false }), util.inspect({ a: 1 }, { colors: true }));
console.log({ [util.inspect.custom](d, o, i) { return 'custom ' + d + typeof o.stylize + typeof i } });
console.log('%s %d %i %f %j %o %O %c %%', 'a', '42', 3.7, '1.5', { x: 1 }, { f() {} }, { y: { z: {} } }, 'css', 'extra', { e: 1 });
console.log('%s', null, undefined, Symbol('x'), 12n, () => 1, class Q {}, { toString() { return 'ts' } }, new Error('ee').message, [1, [2,
  [3]]]);
console.log('100%', 5, '%d', '%s');
console.log({ long: 'x'.repeat(100), other: 'y'.repeat(20) });
console.log({ a: 'multi\nline', b: ['multi\nline'] });
console.log([['a', 1], ['b', 2]], [{ a: 1, b: 2 }, { a: 3, b: 4 }]);
console.log(new (class extends Array {})(3), new (class M extends Map {})([[1, 2]]), new (class S extends Set {})());
console.log(Object.defineProperty({}, 'hidden', { value: 1 }), util.inspect(Object.defineProperty({}, 'hidden', { value: 1 }),
  { showHidden: true }));
console.log(globalThis === global, [globalThis].length, Math, JSON, Reflect);
console.log([function () {}, async () => {}, function* () {}], Object.assign(function named() {}, { p: 1 }));
console.log(new Map([[new Map(), new Set([new Map([[1, 2]])])]]), [new Set([[1, [2]]])]);
console.log({ a: 1n, b: -0, c: [-0], d: undefined, e: null, f: NaN });
console.log([,'a'], [ , , ], { undefined: undefined }, { 1: 1, a: 2, '-': 3 });
console.log(process.nextTick, typeof process.version);
console.log(new URL('http://a.b/c?d=1#e').href, new URLSearchParams({ a: 1, b: 'x y' }).toString(), [new URLSearchParams('q=1')]);
console.log(util.format('%s %s', 'a'), util.format(1, 2, '3'), util.format('%%', 1), util.format('%x', 1), util.format());
console.log([1, 2, 3].map(String), ['a', 'b'].entries().next(), new Map([[1, 2]]).entries().next());
console.log({ date: new Date(1e12), re: /x/, err: [], fn: [() => {}] });
console.log(Object.freeze({ a: 1 }), [Symbol.for('x')], { [Symbol.toStringTag]: 'Tagged', a: 1 });
console.log(util.inspect(new Map([['k', { a: { b: { c: 1 } } }]]), { depth: 1 }), util.inspect([[[]]], false, 0), util.inspect('a\'b'),
  util.inspect(new Error('x').message));
console.log(util.types.isPromise(Promise.resolve()), util.types.isRegExp(/x/), util.types.isDate(new Date()),
  util.types.isProxy(new Proxy({}, {})), util.types.isGeneratorFunction(function* () {}), util.types.isAsyncFunction(async () => {}),
  util.types.isNativeError(new TypeError()), util.types.isBoxedPrimitive(Object(1)), util.types.isTypedArray(new Uint8Array()),
  util.types.isUint8Array(Buffer.alloc(1)));
console.log(util.isDeepStrictEqual({ a: [1, new Map([[1, 2]])] }, { a: [1, new Map([[1, 2]])] }), util.isDeepStrictEqual([1], ['1']));
console.log(util.inspect.defaultOptions, Object.keys(util.inspect.styles));
