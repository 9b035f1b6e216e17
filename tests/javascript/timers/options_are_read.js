// How often options of promised timers are read, since 15.
const util = require('util');
const log = (name) => new Proxy({ a: 1 }, { get(o, k) { console.log(name, String(k)); return o[k]; }, has(o, k) { console.log(name, 'has', String(k)); return k in o; } });
util.promisify(setImmediate)(3, log('imm')).then((v) => console.log(v));
util.promisify(setTimeout)(1, 3, log('time')).then((v) => console.log(v));
let tp; try { tp = require('timers/promises'); } catch { tp = undefined; }
if (tp) { tp.setImmediate(4, log('timm')); tp.setTimeout(1, 4, log('ttime')); const it = tp.setInterval(1, 5, log('tint')); it.next().then(() => it.return()); }
if (tp && tp.scheduler) tp.scheduler.wait(1, log('wait'));
