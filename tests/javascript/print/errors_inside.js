// Errors inside of other values: a line is broken as if their stacks had Node's own frames.
const show = (v) => console.log(require('util').inspect(v).replace(/\n +at .*/g, ''));
Promise.resolve().then(() => { throw new TypeError('two'); }).catch((e) => { show(Promise.reject(e)); show([e]); show({ a: e, b: 1 }); show({ a: { e } }); show(new Map([[1, e]])); });
setTimeout(() => { const e = new Error('x'); show([e]); show([e, 2]); const p = Promise.reject(e); show(p); p.catch(() => {}); }, 1);
const f = new Error('main'); show([f]); show({ f }); f.stack = 'Error: short'; show([f]); f.extra = 1; show(f); show([f]); show([[f], 1]);
process.on('unhandledRejection', () => {});
function told() { console.log(require('util').format.apply(null, arguments).replace(/\n +at .*/g, '')); }
const e = new Error('x');
told(e);
told('%s', e, e);
told([e]);
told({e: e});
e.foo = 1;
told(e);
e.message = 'y';
told(e);
