// virtual clock, stdout only, since 16.
const { BroadcastChannel } = require('worker_threads');
const c = new BroadcastChannel('x');
c.close();
try { c.postMessage(1); } catch (e) { console.log(e.name, e.code, e.message); }
