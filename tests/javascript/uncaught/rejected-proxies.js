// stdout only. The same of proxies.
class K{}; const P=(x)=>new Proxy(x,{}); const a=[];
const l=[{},[],new K,()=>1,P({}),P([]),new Map,/x/,Object.create(null),new Date,Promise.resolve(), {constructor:0}, {toString:0}, new Uint8Array(1), {[Symbol.toStringTag]:'r',toString:0}, new String('x')];
process.on('uncaughtException',(e)=>{a.push(e.message.replace(/.*reason/,'')); if(a.length==l.length) console.log(a.join());});
for (const x of l) Promise.reject(P(x));
