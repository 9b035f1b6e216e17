//! {"runtime":"node-16","seed":1,"limits":{"time":"1ms","callbacks":400,"steps":5000}}
const { AsyncLocalStorage } = require('async_hooks');
async function f(a) { await a; return a; }
const s = new AsyncLocalStorage();
s.run(1, f);
s.exit(() => {});
s.enterWith(2);
s.exit(() => f(1));
