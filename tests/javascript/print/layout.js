// stdout only. How objects are laid out: in lines of 60 columns before Node 12, of 80 since; what takes several lines alone since Node 16.
console.log(new Uint8Array([1,2]), new Map([[1,2]]), new Set([1]), Buffer.from('ab'), new Float64Array(2), [1,,3], {a:{b:{c:{d:1}}}}, new (class Foo extends Array {})(2), Object.create(null), [undefined, null], Symbol('a'), -0, new Date(0), /x/g, [['a','b'],['c']], {f(){}, get x(){return 1}, set x(v){}}, new Error('q').message, 'str', ['s\n'], new Map([['k', {a: [1,2,3]}]]));
console.log({ aaaaaaaaaaaaaaaa: 1, bbbbbbbbbbbbbbbbbbbbb: 2, cccccccccccccccccccc: 3, dddddddddddddddd: 4 });
console.log(Array.from({length: 30}, (_, i) => i)); console.log(Array.from({length: 120}, (_, i) => i).length, 'x'); console.log(['aaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbb','ccccccccccccccc','d','e','f','g']);
console.log(Promise.resolve({a:1}), [Promise.reject(1).catch(()=>{})], new WeakMap(), function foo() {}, class Bar {}, () => {}, async () => {}, function* g() {});
const e = new Error('one'); e.stack = 'Error: one\n    at x';
console.log([e]); console.log({ a: { b: e } }); console.log([e, 'a very long text that goes on and on', 'and one more very long text that does not fit']);
console.log(new Map([[1, e]])); console.log([[e, 1], 2]); console.log({ a: 'one\ntwo', b: 1 }); console.log([function f() {}, e]); console.log(Object.assign(e, { code: 5 }));
console.log({ x: [e] }); class A { constructor() { this.e = e; } } console.log(new A()); console.log([['a very long text that goes on and on', 'and one more very long text that does not fit'], e]);
