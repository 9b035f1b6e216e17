// How values are shown: nothing of the program may be called for it.
let touched = 0;
const values = [undefined, null, true, 0, -0, 1.5, 1e21, NaN, 10n, 2n ** 70n, -(2n ** 64n), 'text', Symbol('s')];
const long = 'x'.repeat(300);
const object = { a: 1, 'b-c': [1, [2, [3, [4]]]], get d() { touched++; return 1; }, set e(v) {}, 7: 'seven' };
const nothing = Object.create(null);
const map = new Map([[1, 'one'], [{ k: 1 }, new Set([1, 2])]]);
const weak = new WeakMap();
const date = new Date(Date.UTC(2024, 1, 29, 12, 30, 1, 5));
const before = new Date(-1);
const wrong = new Date(NaN);
const pattern = /a+\/b/giu;
const bytes = new Uint8Array([1, 2, 255]);
const floats = new Float64Array(2);
const buffer = Buffer.from('abc');
const error = new TypeError('wrong');
const failed = Promise.reject(error);
failed.catch(() => {});
const done = Promise.resolve({ ok: true });
const pending = new Promise(() => {});
function plain() {}
const arrow = () => {};
async function later() {}
function* generate() {}
class Thing { toString() { touched++; return 'thing'; } }
class Sub extends Thing { constructor() { super(); this.own = 1; } }
const instances = [new Thing(), new Sub()];
const proxy = new Proxy({}, { get() { touched++; }, ownKeys() { touched++; return []; } });
const boxed = [Object(1), Object('s'), Object(false)];
const timer = setTimeout(plain, 1);
const circle = { name: 'circle' };
circle.self = circle;
const sparse = [1, , 3];
const wide = 'ä€😀';
const rope = wide + long;
const generated = generate();
(function () { const own = arguments; return own; })(1, 2);
console.log(touched, 'end');
