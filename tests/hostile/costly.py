"""Programs whose steps cost much: what is built into JavaScript works long for one of them. name -> (source, exit statuses of `loopsim
run --max-steps 300000`). Each ends within SECONDS of CPU: without an end of its own at the limit of steps (3), else there, too, or by
itself (0), or at the end of its memory (5)."""

from programs import LIMIT

STEPS = 300_000
SECONDS = 3.0
ENDLESS, ENDS = (LIMIT,), (0, LIMIT, 5)


def forever(code, before=""):
    return f"{before} for (;;) {{ {code}; }}", ENDLESS


LISTENER = "e.on('x', () => {}); const m = new Array(60000).fill(1); (function d() { try { d(); } finally { e.emit('x', ...m); } })();"

LONG = "let p = {}; for (let i = 0; i < 2e5; i++) p = Object.create(p);"

COSTLY = {
    # ---- one call that does not end soon ----------------------------------------------------------------------------------------
    "index-of": ("const s = 'a'.repeat(5e7); s.indexOf('a'.repeat(2e7) + 'b');", ENDLESS),
    "last-index-of": ("const s = 'a'.repeat(5e7); s.lastIndexOf('b' + 'a'.repeat(2e7));", ENDLESS),
    "split": ("'ab'.repeat(2e7).split('b').length;", ENDS),
    "replace-all": ("'a'.repeat(2e7).replaceAll('a', 'bb');", ENDS),
    "array-fill": ("Array(4e9).fill(0);", ENDS),
    "array-from-length": ("Array.from({ length: 1e9 });", ENDS),
    "array-like-search": ("Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);", ENDLESS),
    "array-like-includes": ("Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1);", ENDLESS),
    "array-like-reverse": ("Array.prototype.reverse.call({ length: 2 ** 53 - 1 });", ENDLESS),
    "array-like-copy": ("Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 2, 1);", ENDLESS),
    "array-like-unshift": ("Array.prototype.unshift.call({ length: 2 ** 53 - 2 }, 1);", ENDLESS),
    "array-like-splice": ("Array.prototype.splice.call({ length: 2 ** 53 - 2 }, 1, 0, 1);", ENDLESS),
    "array-like-for-each": ("Array.prototype.forEach.call({ length: 2 ** 53 - 1 }, () => {});", ENDLESS),
    "array-like-join": ("Array.prototype.join.call({ length: 2 ** 53 - 1 });", ENDS),
    "array-like-sort": ("Array.prototype.sort.call({ length: 2 ** 53 - 1 });", ENDS),
    "array-holes": ("const a = []; a[4e9] = 1; a.map((x) => x); a.indexOf(2);", ENDLESS),
    "array-concat": ("const a = []; a.length = 4e9; [].concat(a, a);", ENDS),
    "array-apply": ("Math.max.apply(null, { length: 4e9 });", ENDS),
    "typed-array-length": ("new Uint8Array({ length: 2e8 });", ENDS),
    "typed-array-sort": ("new Float64Array(2e7).map((_, i) => -i).sort();", ENDS),
    "big-power": ("const a = 3n ** 600000n; for (;;) a * a;", ENDLESS),
    "big-text": ("const a = 3n ** 600000n; for (;;) String(a);", ENDLESS),
    "big-parse": ("const s = '9'.repeat(300000); for (;;) BigInt(s);", ENDLESS),
    "big-division": ("const a = 3n ** 600000n, b = 7n ** 150000n; for (;;) a / b;", ENDLESS),
    "backtracking": ("/^(a+)+$/.test('a'.repeat(40) + 'b');", ENDLESS),
    "backtracking-classes": ("/([a-zA-Z]+)*[0-9]/.test('a'.repeat(60));", ENDLESS),
    "lookbehind": ("/(?<=(a|aa)+)b/.test('a'.repeat(5000));", ENDLESS),
    "lookahead": ("/^(?=(a+)*$)(?=(a+)*b)/.test('a'.repeat(50));", ENDLESS),
    "back-references": ("/^(a*)*\\1b/.test('a'.repeat(3000));", ENDLESS),
    "match-all": ("[...'a'.repeat(1e6).matchAll(/a*?(?=.*b)/g)];", ENDLESS),
    "json-text": ("const a = Array(1000).fill(Array(1000).fill(Array(100).fill(1))); JSON.stringify(a);", ENDS),
    "shared-clone": ("let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; JSON.stringify(a);", ENDS),
    "shared-text": ("let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; String(a);", ENDS),
    "shared-flat": ("let a = []; for (let i = 0; i < 60; i++) a = [a, a]; a.flat(Infinity);", ENDLESS),
    "long-prototypes-in": ("let p = {}; for (let i = 0; i < 2e5; i++) p = Object.create(p); for (;;) 'x' in p;", ENDLESS),
    "long-prototypes-get": (f"{LONG} for (;;) p.x;", ENDLESS),
    "long-prototypes-call": (f"{LONG} for (;;) try {{ p.x(); }} catch {{}}", ENDLESS),
    "long-prototypes-length": (f"{LONG} for (;;) p.length;", ENDLESS),
    "long-prototypes-element": (f"{LONG} const k = ['x', 7, Symbol()]; for (let i = 0;; i++) p[k[i % 3]];", ENDLESS),
    "long-prototypes-set": (f"{LONG} const o = Object.create(p); for (;;) {{ o.x = 1; delete o.x; }}", ENDLESS),
    "long-prototypes-with": (f"{LONG} with (p) for (;;) typeof x;", ENDLESS),
    "long-prototypes-super": (f"{LONG} const o = {{ f() {{ for (;;) super.x; }} }}; Object.setPrototypeOf(o, p); o.f();", ENDLESS),
    "long-prototypes-keys": (f"{LONG} for (;;) for (const k in p);", ENDLESS),
    "many-variables": ("const f = Function('if (0) return;' + Array.from({ length: 60000 }, (_, i) => 'var v' + i).join(';'));"
                       " for (;;) f();", ENDLESS),
    "many-lexical-variables": ("const f = Function('if (1) return;' + Array.from({ length: 60000 }, (_, i) => 'let v' + i).join(';'));"
                               " for (;;) f();", ENDLESS),
    "many-parameters": ("const f = Function(Array.from({ length: 60000 }, (_, i) => 'v' + i), ''); for (;;) f();", ENDLESS),
    "many-rest": ("const f = (...a) => 0, m = new Array(60000).fill(1); for (;;) f(...m);", ENDLESS),
    "many-literal-elements": ("const f = Function('return [' + '1,'.repeat(30000) + ']'); for (;;) f();", ENDLESS),
    "many-captured": ("const f = Function('return () => [' + Array.from({ length: 30000 }, (_, i) => 'v' + i) + '];' +"
                      " Array.from({ length: 30000 }, (_, i) => 'var v' + i).join(';')); for (;;) f();", ENDLESS),
    "long-instanceof": ("let p = {}; for (let i = 0; i < 2e5; i++) p = Object.create(p); for (;;) p instanceof Map;", ENDLESS),
    # ---- many calls, each of which costs more than a jump -------------------------------------------------------------------------
    "calls-repeat": forever("'ab'.repeat(1e6).toUpperCase()"),
    "calls-pad": forever("'x'.padStart(1e6, 'abc')"),
    "calls-slice": forever("s.slice(1).split('').length", "const s = 'ab'.repeat(1e5);"),
    "calls-concat": forever("a.concat(a)", "const a = Array(1e5).fill(1);"),
    "calls-spread": forever("[...a]", "const a = Array(1e5).fill(1);"),
    "calls-join": forever("a.join()", "const a = Array(1e5).fill(1);"),
    "calls-fill": forever("a.fill(i++)", "const a = new Uint8Array(1e7); let i = 0;"),
    "calls-set": forever("a.set(b)", "const a = new Uint8Array(1e7), b = new Uint8Array(1e7);"),
    "calls-copy-within": forever("a.copyWithin(1, 0)", "const a = new Uint8Array(1e7);"),
    "calls-typed-search": forever("a.indexOf(1)", "const a = new Float64Array(1e6);"),
    "calls-alloc": forever("Buffer.alloc(1e7)"),
    "calls-buffer-search": forever("a.indexOf('b')", "const a = Buffer.alloc(1e6);"),
    "calls-buffer-text": forever("a.toString('base64')", "const a = Buffer.alloc(1e5);"),
    "calls-sort": forever("a.slice().sort()", "const a = Array.from({ length: 1e4 }, (_, i) => -i);"),
    "calls-sort-texts": forever("a.slice().sort()", "const a = Array.from({ length: 1e4 }, (_, i) => 'x'.repeat(50) + -i);"),
    "calls-reverse": forever("a.reverse()", "const a = Array(1e5).fill(1);"),
    "calls-shift": forever("a.shift(); a.push(1)", "const a = Array(1e5).fill(1);"),
    "calls-json": forever("JSON.parse(JSON.stringify(a))", "const a = Array.from({ length: 1e4 }, (_, i) => ({ i }));"),
    "calls-small-json": forever("JSON.stringify({ a: [1, 'b', { c: 2.5 }] })"),
    "calls-clone": forever("structuredClone(a)", "const a = Array.from({ length: 1e3 }, (_, i) => ({ i }));"),
    "calls-normalize": forever("s.normalize('NFKD')", "const s = '\\u1e9b\\u0323\\uac00'.repeat(1e5);"),
    "calls-case": forever("s.toLowerCase().localeCompare(s)", "const s = '\\u0130A'.repeat(1e5);"),
    "calls-compare": forever("s === t", "const s = 'a'.repeat(1e6) + 'b', t = 'a'.repeat(1e6) + 'c';"),
    "calls-number-text": forever("(Math.PI * 1e300).toFixed(100)"),
    "calls-number-parse": forever("parseFloat(s)", "const s = '9'.repeat(1e5);"),
    "calls-regexp": forever("new RegExp(s)", "const s = '[a-z]{3}|(?:b*)'.repeat(1e3);"),
    "calls-function": forever("new Function(s)", "const s = 'a = [b, c, () => { d(); }];'.repeat(1e3);"),
    "calls-small-eval": forever("(0, eval)('1 + 1')"),
    "calls-error": forever("new Error('x').stack"),
    "calls-deep-error": ("(function d(n) { if (n > 0) return d(n - 1); for (;;) new Error('x'); })(5000);", ENDLESS),
    "calls-date": forever("new Date().toString()"),
    "calls-symbol": forever("Object.getOwnPropertyNames(o)", "const o = {}; for (let i = 0; i < 1e5; i++) o['k' + i] = i;"),
    "calls-for-in": forever("for (const k in o) break", "const o = {}; for (let i = 0; i < 1e5; i++) o['k' + i] = i;"),
    "calls-assign": forever("Object.assign({}, o)", "const o = {}; for (let i = 0; i < 1e4; i++) o['k' + i] = i;"),
    "calls-delete": forever("for (let i = 0; i < 1e4; i++) o['k' + i] = i; for (const k in o) delete o[k]", "const o = {};"),
    "calls-freeze": forever("Object.freeze(Array(1e4).fill(1))"),
    "calls-map": forever("new Map(m)", "const m = new Map(Array.from({ length: 1e4 }, (_, i) => [i, i]));"),
    "calls-set-algebra": forever("(a.union ? a.union(a) : new Set(a))", "const a = new Set(Array.from({ length: 1e4 }, (_, i) => i));"),
    "calls-uri": forever("encodeURIComponent(s)", "const s = '\\u20ac'.repeat(1e5);"),
    "calls-escape": forever("unescape(escape(s))", "const s = '\\u20ac'.repeat(1e5);"),
    "calls-atob": forever("atob(btoa(s))", "const s = 'a'.repeat(1e5);"),
    "calls-objects": forever("o = [{ a: { b: [] } }, () => o]", "let o;"),
    "calls-garbage": forever("o = { o: { o } }; if (++i % 1e5 == 0) o = null", "let o, i = 0;"),
    "calls-promise": forever("Promise.resolve(1)"),
    "calls-bound": forever("f()", "let f = () => {}; for (let i = 0; i < 1000; i++) f = f.bind(null);"),
    "calls-proxy": forever("try { p.x; } catch {}", "let p = {}; for (let i = 0; i < 5000; i++) p = new Proxy(p, {});"),
    # ---- Node's library -------------------------------------------------------------------------------------------------------------
    "node-hash": forever("require('crypto').createHash('sha256').update(b).digest()", "const b = Buffer.alloc(1e6);"),
    "node-pbkdf2": forever("require('crypto').pbkdf2Sync('a', 'b', 1e6, 64, 'sha512')"),
    "node-scrypt": forever("require('crypto').scryptSync('a', 'b', 64)"),
    "node-inspect": forever("require('util').inspect(a)", "const a = Array.from({ length: 100 }, (_, i) => ({ i }));"),
    "node-zlib": forever("require('zlib').gzipSync(b)", "const b = Buffer.alloc(1e6);"),
    "node-log": forever("console.log(s)", "const s = 'x'.repeat(1e6);"),
    "node-log-many": ("const m = new Array(60000).fill(1); (function d() { try { d(); } finally { console.log(...m); } })();", ENDS),
    "node-require": ("(function d() { try { d(); } finally { require('./nope'); } })();", ENDS),
    "node-import": ("(function d() { try { d(); } finally { import('./nope').catch(() => {}); } })();", ENDS),
    "node-url": forever("new URL('http://a/' + s)", "const s = 'a/../'.repeat(1e4);"),
    "node-text": forever("new TextDecoder().decode(new TextEncoder().encode(s))", "const s = '\\u20ac'.repeat(1e5);"),
    # ---- a recursion that C++ carries ---------------------------------------------------------------------------------------------
    "emit-many": ("const e = new (require('events'))(); " + LISTENER, ENDS),
    "emit-many-process": ("const e = process; " + LISTENER, ENDS),
    "emit-many-child": ("const e = require('child_process').spawn('x'); e.on('error', () => {}); " + LISTENER, ENDS),
    "emit-many-socket": ("const e = new (require('net').Socket)(); " + LISTENER, ENDS),
    "emit-many-apply": ("const e = new (require('events'))(); e.on('x', () => {}); const m = new Array(40000).fill(1); "
                        "(function d() { try { d(); } finally { e.emit.apply(e, ['x', ...m]); } })();", ENDS),
    "timers-many": ("const m = new Array(60000).fill(1); (function d() { try { d(); } finally { setTimeout(() => {}, 1, ...m); } })();",
                    ENDS),
    "finally-twice": ("(function f() { try { f(); } finally { f(); } })();", ENDS),
}
