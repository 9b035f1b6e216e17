// Stacks, messages of the language, and how errors are printed.
function f() { return new Error('x'); }
class A { constructor() { this.e = f(); } m() { return f(); } static s() { return f(); } }
console.log(new A().e.stack);
console.log(new A().m().stack);
console.log(A.s().stack);
[1].map(() => console.log(f().stack));
(async () => { await 1; console.log(f().stack); })();
console.log(Object.keys(new Error('k')), Object.getOwnPropertyNames(new Error('k')).includes('stack'));
function messageOf(code) {
  try { return code(); } catch (error) { return `${error.name}: ${error.message}`; }
}
const o = { a: {}, frozen: Object.freeze({ x: 1 }) };
let value;
console.log(messageOf(() => null.x));
console.log(messageOf(() => value.foo()));
console.log(messageOf(() => o.foo()));
console.log(messageOf(() => o.a.b.c));
console.log(messageOf(() => o.a.b.c()));
console.log(messageOf(() => { value.x = 1; }));
console.log(messageOf(() => missing));
console.log(messageOf(() => { const c = 1; c = 2; }));
console.log(messageOf(() => { early; let early = 1; }));
console.log(messageOf(() => value()));
console.log(messageOf(() => new value()));
console.log(messageOf(() => { for (const x of 3) x; }));
console.log(messageOf(() => [].reduce((a) => a)));
console.log(messageOf(() => new Array(-1)));
console.log(messageOf(() => (1.5).toFixed(101)));
console.log(messageOf(() => `${Symbol('s')}`));
console.log(messageOf(() => 1n + 1));
console.log(messageOf(() => decodeURIComponent('%')));
console.log(messageOf(() => new Date(NaN).toISOString()));
console.log(messageOf(() => { (function r() { r(); })(); }));
console.log(messageOf(() => JSON.parse('{a')));
console.log(messageOf(() => JSON.parse('abc')));
console.log(messageOf(() => JSON.parse('')));
console.log(messageOf(() => JSON.parse('{"a":1,}')));
console.log(messageOf(() => JSON.parse('{"a": tru}')));
console.log(messageOf(() => JSON.parse(undefined)));
console.log(messageOf(() => JSON.parse('a long text that is not JSON at all, and goes on')));
console.log(messageOf(() => { const ring = { list: [] }; ring.list.push({ ring }); JSON.stringify(ring); }));
console.log(messageOf(() => { const ring = {}; ring.ring = ring; JSON.stringify(ring); }));
console.log(messageOf(() => JSON.stringify(1n)));
console.log(messageOf(() => require('nowhere-to-be-found').x).split('\n')[0]);
class Own extends Error { constructor(message) { super(message); this.name = 'Own'; this.extra = 1; } }
try { throw new Own('mine'); } catch (error) { console.log(error); }
console.log(String(new Own('as a text')), Object.prototype.toString.call(new Own('')));
console.log(new Error('outer', { cause: 'a text' }));
console.log(new AggregateError([new Error('a'), new TypeError('b')], 'both'));
console.log([new Error('in an array')]);
console.log({ e: new RangeError('in an object') });
const holder = {};
Error.captureStackTrace(holder);
console.log(holder.stack);
Error.stackTraceLimit = 1;
function deep() { return deeper(); }
function deeper() { return new Error('limited').stack; }
console.log(deep());
Error.stackTraceLimit = 10;
const changed = new Error('before'); changed.message = 'after'; console.log(changed);
console.log(new Error('').stack.split('\n')[0], new Error('two\nlines'));
const named = new Error('named'); named.name = 'Foo'; console.log(named); delete named.stack; console.log(named);
const coded = Object.assign(new Error('with a code'), { code: 'E_X', errno: -2 }); console.log(coded); console.error(coded);
Error.prepareStackTrace = (error, sites) => `${error.message}: ${sites[0].getFunctionName()} ${sites[0].getLineNumber()}`;
console.log(f().stack);
Error.prepareStackTrace = undefined;
setTimeout(() => {
  console.log(new Error('timer').stack);
  setImmediate(() => { console.log(new Error('immediate').stack); });
  setImmediate(function named() { console.log(new Error('immediate').stack); });
}, 1);
setTimeout(function named() { console.log(new Error('timer').stack); }, 1);
process.nextTick(() => console.log(new Error('tick').stack));
queueMicrotask(() => console.log(new Error('microtask').stack));
Promise.resolve().then(function then() { console.log(new Error('then').stack); });
new Promise((resolve) => { console.log(new Error('executor').stack); resolve(); });
[3, 1].sort((a, b) => { console.log(new Error('compare').stack); return a - b; });
for (const text of ['[1,]', '{"a":}', '[1 2]', '{"a" 1}', 'nul', '01', '"\n"', '{"a":1}x', '-', '1.', '  ', '[', '{"a":1 "b"}', "{'a':1}",
  'undefined', 'NaN', '[object Object]']) {
  console.log(messageOf(() => JSON.parse(text)));
}
