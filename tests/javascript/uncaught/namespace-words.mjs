// since 14: what cannot be changed of a module's namespace, and the names of import.meta
import * as ns from 'path';
function t(f) { try { f(); console.log('ok'); } catch (e) { console.log(e.name + ': ' + e.message); } }
t(() => { ns.join = 1; });
t(() => { ns.zz = 1; });
t(() => { delete ns.join; });
t(() => { Object.defineProperty(ns, 'join', { value: 5 }); });
console.log(Object.keys(import.meta).join(), import.meta.main);
