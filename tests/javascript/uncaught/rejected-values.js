// What of a rejection's value is told without running the program's code.
class K { toString() { return 'kk'; } }
const g = Object.create({ get constructor() { return K; } });
const e = [1]; e.constructor = undefined; const t={toString:5}; const tt={constructor:0}; const t3={[Symbol.toStringTag]:'x', constructor:0}, m = new Map; m.constructor=0;
for (const x of [[0,0],[],[1],['a',[2]], new K, {}, new Map, g, null, undefined, 1, 'a', Symbol('x'), ()=>1, Promise.resolve(), e,t,tt,t3,m, new Date(0), /x/, Object.assign(/y/,{constructor:0}), Object.assign([1],{toString(){return 'hh'}}), Object.create(null), new (class extends Array{})(2), arguments, new Proxy([],{}), new Uint8Array(2),new Number(3), new String('x')]) Promise.reject(x);
