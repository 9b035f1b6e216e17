// Which class a value is of decides how it is cloned, whatever stands in its place.
const t = structuredClone;
class A { constructor(){ this.x=1; } }
const show = (f) => { try { console.log(f()); } catch (e) { console.log(e.name, e.message); } };
show(()=>t(new Map([[1,{a:new Set([2])}]])));
show(()=>t([new Date(5),/x/gi,new Number(3),new String('s'),Object(1n),new Boolean(false)]));
show(()=>t(Object(Symbol('q'))));
show(()=>t(new Uint16Array([1,2,3])));
show(()=>t(new DataView(new ArrayBuffer(4),1)));
show(()=>t(new RangeError('r',{cause:new Error('c')})).message);
show(()=>t(new A));
show(()=>t(Object.create(Map.prototype)));
show(()=>t(RegExp.prototype));
show(()=>t(Object.create(Date.prototype)));
show(()=>t(Object.setPrototypeOf(new Map([[1,2]]),null)));
show(()=>t(new Proxy(new Map(),{})));
show(()=>t(Object.setPrototypeOf(new Error('x'),Array.prototype)) instanceof Error);
show(()=>t(new SharedArrayBuffer(3)).byteLength);
show(()=>t({ [Symbol.toStringTag]: 'Map' }));
