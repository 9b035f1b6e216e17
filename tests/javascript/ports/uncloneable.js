// stdout only. Values that cannot be copied.
const p4 = Promise.all([]);
Object.defineProperty(p4, 'constructor', { get() { return Promise; } });
const q = {f(){}}; const m = new WeakMap; Object.defineProperty(m, 'constructor', { get() { return Promise; } });
const n = new WeakMap; n.constructor=null; const o=new WeakMap; o.constructor=class {}; const a=[()=>1]; a.constructor=5;
class B extends Promise { } class C {f=()=>1}; class D extends Promise { toString() { return 'x';} } class E extends Promise { get [Symbol.toStringTag](){return 'j';}}
const e = new E(()=>1); Object.defineProperty(e,'constructor',{get(){}});
const tag = Promise.resolve(); tag.constructor=0; Object.defineProperty(tag,Symbol.toStringTag,{value:'TT'});
let i=0;
for (const x of [p4,m,n,o, B.resolve(), Object.setPrototypeOf(Promise.resolve(),null),Object.setPrototypeOf(new WeakMap,{}), Object.setPrototypeOf(new WeakMap,{toString(){}}), D.resolve(),e,tag,
 Object.assign(new WeakSet, {toString:0}), Object.assign(Promise.resolve(), {toString:0}), Object.assign(D.resolve(), {constructor:0}), Object.assign(new WeakRef({}), {constructor:0})]) { i++; try { structuredClone(x); } catch (e) {console.log(i,e.message)}
 try { new MessageChannel().port1.postMessage(x); } catch (e) {console.log(i,e.message)}
}
(function () {
const l = { arguments, gen: (function*(){})(), agen: (async function*(){})(), mi: new Map().keys(), si: new Set().keys(), ai: [][Symbol.iterator](), str: ''[Symbol.iterator](), re: 'a'.matchAll(/a/g), num: Object(1), sym: Object(Symbol()), big: Object(1n), math: Math, json: JSON, reflect: Reflect, global: globalThis, fr: new FinalizationRegistry(()=>1), wr: new WeakRef({}), ns: null, proto: Object.create(Promise.prototype), pn: Object.setPrototypeOf(Promise.resolve(), null), mod: module, cls: class X {}, timeout: setTimeout(()=>1), imm: setImmediate(()=>1), ab: new AbortController(), abs: new AbortController().signal, ev: new Event('x'), et: new EventTarget(), url: new URL('http://x/'), err: Object.setPrototypeOf(new Error('x'), null), buf: Buffer.from('x'), t16: new Uint16Array(1) };
for (const k in l) { try { const c = structuredClone(l[k]); console.log(k, typeof c, Object.prototype.toString.call(c)); } catch (e) { console.log(k, e.name, e.message, e.code); } }
})(1);
