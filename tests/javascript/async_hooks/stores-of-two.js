// Two storages, one entered inside run() and exit() of the other; timers and promises made there.
const { AsyncLocalStorage } = require('async_hooks');
const s = new AsyncLocalStorage(), t = new AsyncLocalStorage();
s.run(1, () => { t.enterWith(2); setTimeout(() => console.log('timer', s.getStore(), t.getStore())); });
console.log('a', s.getStore(), t.getStore());
s.run(1, () => s.enterWith(3));
console.log('b', s.getStore(), t.getStore());
s.enterWith(4);
s.exit(() => { console.log('c', s.getStore(), t.getStore()); t.enterWith(5); setTimeout(() => console.log('timer in exit', s.getStore(), t.getStore())); Promise.resolve().then(() => console.log('then in exit', s.getStore(), t.getStore())); });
console.log('d', s.getStore(), t.getStore());
s.exit(() => { s.run(6, () => { console.log('e', s.getStore()); t.enterWith(7); }); console.log('f', s.getStore(), t.getStore()); setTimeout(() => console.log('timer after run in exit', s.getStore(), t.getStore())); });
console.log('g', s.getStore(), t.getStore());
s.exit(() => { s.enterWith(8); setTimeout(() => console.log('timer after enter in exit', s.getStore(), t.getStore())); });
console.log('h', s.getStore(), t.getStore());
try { s.exit(() => { s.enterWith(9); throw new Error('x'); }); } catch (e) { console.log('i', s.getStore(), e.message); }
s.exit(() => { s.exit(() => { s.enterWith(10); }); console.log('j', s.getStore()); });
console.log('k', s.getStore(), t.getStore());
s.disable();
console.log('l', s.getStore());
s.exit(() => { s.enterWith(11); });
console.log('m', s.getStore());
Promise.resolve().then(() => { s.run(12, () => { s.enterWith(13); t.enterWith(14); }); console.log('n', s.getStore(), t.getStore()); s.exit(() => { s.enterWith(15); }); console.log('o', s.getStore()); });
