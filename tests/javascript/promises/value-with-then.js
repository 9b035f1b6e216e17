// stdout only. Node 8 reads a getter `then` once less.
"use strict"; const o={a:1, get then() { console.log('get'); }, b:2};
Promise.resolve().then(()=>{ new Promise((r)=>r(Promise.resolve(o))).then((v)=>console.log(v===o, Object.keys(v))); });
"use strict"; const p = Object.create({ get then() { console.log('pget'); } });
Promise.resolve(1).then(()=>Promise.resolve(p)).then(()=>console.log('p'));
let n=0; const q={get then() { return n++ ? (f)=>{console.log('then',n);f(4)} : undefined; }};
new Promise((r)=>r(Promise.resolve(q))).then((v)=>console.log(v===q,n));
Promise.reject(q).catch((e)=>console.log(e===q));
new Promise((r)=>r(Promise.reject(q))).catch((e)=>console.log(e===q));
