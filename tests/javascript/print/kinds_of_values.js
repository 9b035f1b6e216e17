// Values of many kinds, since 8.
console.log(new Date(0), [new Date(0)], /a+/gi, [/x/], Symbol('a'), [Symbol.iterator]);
class A { constructor() { this.x = 1; } get y() { return 2; } static s() {} }
class B extends A {}
console.log(A, B, new A(), new B(), [A, B], { A: A });
console.log([1, , 3], [, ,], [undefined, null], new Array(5));
var o = { get a() { return 1; }, set a(v) {}, get b() { return 1; }, set c(v) {} }; console.log(o);
console.log({ s: 'it\'s', t: "a\"b", u: 'a\nb', v: `'"` }, ['a\\b', '\u0001', 'é', '\u2028']);
console.log(new Number(3), new String('abc'), new Boolean(false), Object(Symbol('q')));
console.log(function foo() {}, () => {}, [function () {}], { m() {} , n: function () {} , k: class {} });
console.log(-0, [-0], 0, NaN, Infinity, 1e21, [1e-7]);
console.log(new WeakMap(), new WeakSet(), new Set(['a', { b: 1 }]), new Map([['k', { v: [1] }]]));
console.log(Object.create(null), Object.create({ a: 1 }), Object.create(A.prototype));
console.log(new Uint8Array(3), new Float64Array([1.5, -0]), new ArrayBuffer(4), new DataView(new ArrayBuffer(2)));
console.log((function () { return arguments; })(1, 'a'), [1, 2].entries(), new Map([[1, 2]]).keys(), new Set([1]).values());
console.log(function* g() {}, (function* () {})(), Promise.resolve(4), Promise.reject(3).catch(() => {}) && 1, new Promise(() => {}));
console.log(JSON, Math, typeof global, Reflect);
