// virtual clock since 18: in Node 18 structuredClone() wakes the loop, and an immediate that does not keep it awake runs at once.
'use strict';
const start = process.hrtime(); const now = () => { const t = process.hrtime(start); return t[0] * 1e9 + t[1]; };
setTimeout(() => { console.log('timer', now()); }, 0);
structuredClone(0);
const t16 = setImmediate(() => { console.log('immediate', now()); });
t16.unref();
