// throw() of an iterator of events.on() for which somebody waits: before Node 20 nobody is told.
const { EventEmitter, on } = require('events');
async function one(name, f) { const e = new EventEmitter(); const it = on(e, 'b'); const log=[]; const see=(l,p)=>p.then((v)=>log.push([l,'ok',v]),(x)=>log.push([l,'bad',x.message]));
  try { f(e,it,see,log); } catch (x) { log.push(['threw', x.message]); }
  await new Promise((r)=>setTimeout(r,1));
  console.log(name, JSON.stringify(log), e.listenerCount('b'), e.listenerCount('error'), e.eventNames()); }
(async()=>{
await one('waiting',(e,it,see)=>{ see(1,it.next()); see(2,it.next()); console.log(it.throw(new Error('x'))); });
await one('waiting then next',(e,it,see)=>{ see(1,it.next()); it.throw(new Error('x')); see(2,it.next()); see(3,it.next()); });
await one('not waiting',(e,it,see)=>{ it.throw(new Error('x')); see(2,it.next()); });
await one('two throws',(e,it,see)=>{ it.throw(new Error('x'));it.throw(new Error('y')); see(2,it.next()); });
await one('unread',(e,it,see)=>{ e.emit('b',1); it.throw(new Error('x')); e.emit('b',2); see(2,it.next()); see(3,it.next());see(4,it.return());see(5,it.next()); });
await one('return after',(e,it,see)=>{ see(1,it.next()); it.throw(new Error('x')); see(2,it.return()); see(3,it.next()); });
await one('bad',(e,it,see)=>{ see(1,it.next()); it.throw(1); });
await one('signal',(e,it,see)=>{ });
if (typeof AbortController==='function') await one('abort',(e,it,see,log)=>{ const ac=new AbortController(); const i2=on(e,'c',{signal:ac.signal}); see(1,i2.next()); i2.throw(new Error('x')); ac.abort(); see(2,i2.next()); see(3,i2.next()); });
if (typeof AbortController==='function') await one('abort2',(e,it,see,log)=>{ const ac=new AbortController(); const i2=on(e,'c',{signal:ac.signal}); i2.throw(new Error('x')); see(0,i2.next()); ac.abort(); see(2,i2.next()); see(3,i2.next()); });
})();
