// Checks of arguments, primitives, fields, warnings of delays.
'use strict';
const attempt = (f) => { try { console.log(f()); } catch (error) { console.log(error.name, error.code, error.message); } };
for (const f of [setTimeout, setInterval, setImmediate, queueMicrotask, (x) => process.nextTick(x)]) {
  for (const bad of [undefined, null, 'code', 5, {}, [1], Symbol('s')]) attempt(() => f(bad));
}
console.log(setTimeout.length, setInterval.length, setImmediate.length, clearTimeout.length, queueMicrotask.length, setTimeout.name);
const t = setTimeout(function named() { console.log('never'); }, 5.5);
console.log(t._onTimeout.name, t._idleTimeout, t._repeat, t._destroyed, t.hasRef(), typeof +t, t.constructor.name);
const id = +t;
console.log(id === Number(t), `${t}` === String(id));
clearTimeout(id);
console.log(t._onTimeout, t._idleTimeout, t._destroyed);
const s = setInterval(() => {}, 7);
console.log(s._repeat, s._idleTimeout);
clearInterval(String(+s));
const im = setImmediate(() => console.log('never'));
console.log(im.hasRef(), im.unref() === im, im.hasRef(), im.ref().hasRef());
clearImmediate(im);
for (const nothing of [undefined, null, 'x', {}, 12345, NaN, '']) { clearTimeout(nothing); clearInterval(nothing); }
attempt(() => clearImmediate('x'));
setTimeout((...args) => console.log('args', args.length, args.join()), 1, 1, 2, 3, 4, 5, 6);
setTimeout(() => console.log('string delay'), '3');
setTimeout(() => console.log('object delay'), { valueOf() { return 4; } });
setTimeout(() => console.log('long'), 2 ** 31);
setTimeout(() => console.log('undefined')).unref().ref();
setTimeout(() => console.log('negative'), -5);
setTimeout(() => console.log('nan'), NaN);
setTimeout(() => console.log('infinite'), Infinity);
process.nextTick(() => console.log('tick'));
const r = setTimeout(() => console.log('refreshed'), 10);
setTimeout(() => console.log(r.refresh() === r), 6);
setTimeout(() => console.log('at 12'), 12);
console.log(Object.keys(require('timers')).includes('promises'), require('timers').setTimeout === setTimeout);
