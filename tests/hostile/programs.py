"""Hostile programs in JavaScript: name -> (source, exit status of `loopsim run`). An exception that ends the program is exit status 0."""

LIMIT = 3

PROGRAMS = {
    # ---- without an end -------------------------------------------------------------------------------------------------------
    "endless-loop": ("for (;;);", LIMIT),
    "endless-loop-caught": ("for (;;) { try { for (;;); } catch {} finally { continue; } }", LIMIT),
    "endless-microtasks": ("(function f() { Promise.resolve().then(f); })();", LIMIT),
    "endless-await": ("(async () => { for (;;) await null; })();", LIMIT),
    "endless-thenable": ("const t = { then(resolve) { resolve(t); } }; Promise.resolve(t);", LIMIT),
    "endless-ticks": ("(function f() { process.nextTick(f); })();", LIMIT),
    "endless-immediates": ("(function f() { setImmediate(f); })();", LIMIT),
    "endless-timers": ("(function f() { setTimeout(f, 0); })();", LIMIT),
    "endless-interval": ("setInterval(() => {}, 1);", LIMIT),
    "endless-before-exit": ("process.on('beforeExit', () => setImmediate(() => {}));", LIMIT),
    "endless-exit": ("process.on('exit', () => { for (;;); });", LIMIT),
    "endless-generator": ("for (const _ of (function* () { for (;;) yield 1; })());", LIMIT),
    "endless-iterator-close": ("const it = { [Symbol.iterator]() { return this; }, next() { return { value: 1, done: false }; }, "
                               "return() { for (;;); } };\nfor (const _ of it) break;", LIMIT),
    "endless-regexp": ("/(a*)*b/.test('a'.repeat(1000));", LIMIT),
    "endless-replace": ("'a'.repeat(100).replace(/(x+x+)+y|(a|aa)+$/g, () => { for (;;); });", LIMIT),
    "endless-sort": ("[3, 1, 2].sort(() => { for (;;); });", LIMIT),
    "endless-getter": ("const o = { get x() { return this.y; }, get y() { for (;;); } }; o.x;", LIMIT),
    "endless-proxy": ("const p = new Proxy({}, { get(t, k, r) { for (;;) r; } }); p.x;", LIMIT),
    "endless-uncaught": ("process.on('uncaughtException', () => { setImmediate(() => { throw 1; }); }); throw 1;", LIMIT),
    "endless-events": ("const e = new (require('events'))(); e.on('x', () => process.nextTick(() => e.emit('x'))); e.emit('x');", LIMIT),
    "endless-messages": ("const { port1, port2 } = new MessageChannel(); port2.onmessage = () => port1.postMessage(1); "
                         "port1.postMessage(1);", LIMIT),
    "endless-clock": ("while (Date.now() >= 0);", LIMIT),
    "endless-to-string": ("`${{ toString() { for (;;); } }}`;", LIMIT),
    "endless-inspect": ("console.log({ [require('util').inspect.custom]() { for (;;); } });", LIMIT),

    # ---- too deep ---------------------------------------------------------------------------------------------------------------
    "recursion": ("(function f() { f(); })();", 0),
    "recursion-caught": ("let n = 0; (function f() { n++; try { f(); } catch { n--; } })(); console.log(n);", 0),
    "recursion-in-finally": ("(function f(n) { try { if (n > 0) f(n - 1); else f(1); } finally { if (n > 3000) f(0); } })(20);", 0),
    "recursion-of-getters": ("const o = { get x() { return this.x; } }; o.x;", 0),
    "recursion-of-proxies": ("let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x;", 0),
    "recursion-of-to-string": ("const o = { toString() { return `${o}`; } }; `${o}`;", 0),
    "recursion-of-apply": ("function f(...a) { return f.apply(this, a.concat(a)); } f(1);", 0),
    "recursion-of-sort": ("function f() { return [2, 1].sort(f); } f();", 0),
    # Each level looks for itself among all others: the steps of that are as many as the levels' square.
    "recursion-of-json": ("let o = {}; for (let i = 0; i < 1e6; i++) o = { o }; JSON.stringify(o);", LIMIT),
    "recursion-of-json-parse": ("JSON.parse('['.repeat(1e6));", 0),
    "recursion-of-inspect": ("let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; console.log(require('util').inspect(o, { depth: "
                             "Infinity }));",
                             LIMIT),
    "recursion-of-clone": ("let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; structuredClone(o);", 0),
    "recursion-of-promises": ("let p = Promise.resolve(); for (let i = 0; i < 1e4; i++) p = Promise.resolve().then(() => p); "
                              "p.then(() => {});",
                              0),
    "recursion-of-regexp": ("new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('');", 0),
    "recursion-of-bound": ("let f = () => {}; for (let i = 0; i < 1e5; i++) f = f.bind(); f();", 0),
    "recursion-of-listeners": ("const e = new (require('events'))(); e.on('x', () => e.emit('x')); e.emit('x');", 0),
    "recursion-of-eval": ("const f = (s) => eval(s); globalThis.s = 'f(s)'; globalThis.f = f; f(globalThis.s);", 0),
    "recursion-of-ropes": ("let s = 'x'; for (let i = 0; i < 1e4; i++) s = 'y' + s + 'z'; s.charCodeAt(5);", 0),
    "recursion-of-errors": ("let e = new Error('0'); for (let i = 0; i < 1e4; i++) e = new Error(String(i), { cause: e }); throw e;", 0),
    "nested-source": ("(".join([""] * 100_000) + ")".join([""] * 100_000), 0),
    "nested-functions": ("(() => " * 20_000 + "1" + ")" * 20_000 + ";", 0),
    "nested-arrays": ("[" * 100_000 + "]" * 100_000 + ";", 0),
    "nested-templates": ("`${" * 50_000 + "1" + "}`" * 50_000 + ";", 0),

    # ---- too much ---------------------------------------------------------------------------------------------------------------
    "huge-string": ("'x'.repeat(2 ** 29).length; 'x'.repeat(2 ** 31);", 0),
    "doubling-string": ("let s = 'x'; for (;;) s += s;", 0),
    "doubling-array": ("let a = [1]; for (;;) a = a.concat(a);", 0),
    "huge-array": ("new Array(2 ** 32 - 1).fill(0);", 0),
    "huge-typed-array": ("new Uint8Array(2 ** 31);", 0),
    "huge-buffer": ("Buffer.alloc(1e12);", 0),
    "huge-join": ("new Array(1e8).join('xxxxxxxxxxxxxxxx');", LIMIT),
    "huge-pad": ("'x'.padStart(2 ** 30, 'abc');", 0),
    "huge-bigint": ("let n = 3n; for (;;) n **= 3n;", 0),
    "huge-map": ("const m = new Map(); for (let i = 0; ; i++) m.set(i, {});", 0),
    "huge-object": ("const o = {}; for (let i = 0; ; i++) o['k' + i] = i;", 0),
    "huge-closures": ("const all = []; for (;;) all.push(() => all);", 0),
    "huge-promises": ("const all = []; for (;;) all.push(new Promise(() => {}));", 0),
    "huge-arguments": ("Math.max(...new Array(1e7).fill(1));", 0),
    "huge-log": ("console.log('x'.repeat(2 ** 26));", 0),
    "huge-exception": ("throw new Error('x'.repeat(2 ** 24));", LIMIT),
    "out-of-memory-caught": ("const all = []; for (;;) { try { for (;;) all.push(new Array(1000).fill({})); } catch { all.length = "
                             "0; break; } }", 0),
    "out-of-memory-again": ("for (let n = 0; n < 5; n++) { const all = []; try { for (;;) all.push('x'.repeat(1e6) + n); } catch {} }",
                            LIMIT),
    "many-timers": ("for (let i = 0; i < 1e4; i++) setTimeout(() => {}, i % 1000);", 0),
    "many-immediates": ("for (let i = 0; i < 1e4; i++) setImmediate(() => {});", 0),
    "many-ticks": ("for (let i = 0; i < 1e4; i++) process.nextTick(() => {});", 0),
    "many-rejections": ("for (let i = 0; i < 1e4; i++) Promise.reject(i);", 0),
    "many-handled-rejections": ("process.on('unhandledRejection', () => {}); for (let i = 0; i < 1e4; i++) Promise.reject(i);", 0),
    "many-listeners": ("const e = new (require('events'))(); for (let i = 0; i < 1e4; i++) e.on('x', () => {}); e.emit('x');", 0),
    "many-functions": ("".join(f"function f{i}() {{ return {i}; }}\n" for i in range(100_000)) + "f99999();", 0),
    "long-line": ("let x = 0;" + "x = x + 1;" * 200_000 + "setTimeout(() => {}, 1);", 0),
    "long-name": (f"const {'n' * 1_000_000} = setTimeout(function {'f' * 1_000_000}() {{}}, 1);", 0),

    # ---- tampering ----------------------------------------------------------------------------------------------------------------
    "tampered-iterator": ("Array.prototype[Symbol.iterator] = null; setTimeout((...a) => console.log(a), 1, 1, 2); "
                          "new (require('events'))().on('x', () => {}).emit('x', 1); Promise.all([1]).catch(() => {});", 0),
    "tampered-call": ("Function.prototype.call = Function.prototype.apply = Function.prototype.bind = null; Reflect.apply = null; "
                      "setTimeout(() => console.log('x'), 1); process.on('exit', () => {}); new (require('events'))().on('x', () => "
                      "{}).emit('x');",
                      0),
    "tampered-then": ("Promise.prototype.then = function () { throw 1; }; Promise.resolve = null; (async () => { await 1; throw 2; })(); "
                      "require('timers/promises').setTimeout(1);", 0),
    "tampered-object": ("for (const key of ['get', 'set', 'value', 'then', 'name', 'message', 'stack', 'code', 'length', 'constructor']) "
                        "{ try { Object.defineProperty(Object.prototype, key, { get() { throw key; }, set() { throw key; }, "
                        "configurable: true }); } catch {} } setTimeout(() => { throw {}; }, 1); console.log({});", 0),
    "tampered-globals": ("for (const name of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[name]; } catch {} }", 0),
    "tampered-prototypes": ("const own = Reflect.ownKeys, all = [Array, Object, Function, Promise, Map, Set, WeakMap, Error, "
                            "String, Symbol, RegExp]"
                            ".map((c) => c.prototype);\nfor (const p of all) for (const k of own(p)) { try { delete p[k]; } catch {} }\n"
                            "setTimeout(() => { throw 1; }, 1);", 0),
    "tampered-process": ("process.emit = process.listenerCount = process.on = null; Object.setPrototypeOf(process, null); "
                         "setTimeout(() => { throw new Error('x'); }, 1);", 0),
    "tampered-events": ("const E = require('events'); E.prototype.emit = E.prototype.listenerCount = () => { throw 1; }; "
                        "setTimeout(() => { throw 2; }, 1);", 0),
    "tampered-console": ("console.log = null; console._stdout = null; for (const k in console) console[k] = 1; throw 1;", 0),
    "tampered-error": ("Error.prepareStackTrace = () => { throw 1; }; Error.stackTraceLimit = { valueOf() { throw 2; } }; "
                       "Error.captureStackTrace = null; null.x;", 0),
    "tampered-species": ("class P extends Promise { static get [Symbol.species]() { throw 1; } } P.resolve(1).then(() => "
                         "{}).catch(() => {});", 0),
    "tampered-timers": ("const t = setTimeout(() => {}, 1); Object.setPrototypeOf(t, null); clearTimeout(t); "
                        "clearTimeout({ __proto__: t }); clearTimeout(new Proxy(t, {}));", 0),
    "thrown-proxy": ("throw new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 2; } });", 0),
    "thrown-revoked-proxy": ("const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); Promise.reject(proxy); throw proxy;", 0),
    "thrown-getters": ("class E extends Error { get stack() { throw 1; } get message() { throw 2; } get name() { throw 3; } } throw "
                       "new E();", 0),
    "thrown-null-object": ("throw Object.create(null);", 0),
    "thrown-symbol": ("throw Symbol('x');", 0),
    "rejected-proxy": ("Promise.reject(new Proxy(function () {}, { get() { throw 1; } }));", 0),
    "callable-proxy": ("setTimeout(new Proxy(() => {}, { apply() { throw 1; }, get() { throw 2; } }), 1);", 0),
    "then-getter": ("Promise.resolve({ get then() { throw 1; } }); (async () => { await { get then() { throw 2; } }; })();", 0),
    "value-of": ("setTimeout(() => {}, { valueOf() { throw 1; } });", 0),
    "exit-in-exit": ("process.on('exit', () => process.exit(3)); process.exit(2);", 0),
    "throw-in-exit": ("process.on('exit', () => { throw 1; });", 0),
    "throw-in-uncaught": ("process.on('uncaughtException', (e) => { throw e; }); throw 1;", 0),
    "throw-in-rejection": ("process.on('unhandledRejection', (e) => { throw e; }); Promise.reject(1);", 0),

    # ---- the edges of the world ---------------------------------------------------------------------------------------------------
    "atomics-wait": ("Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0);", LIMIT),
    "atomics-wait-async": ("Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(8)), 0, 0);", 0),
    "require-itself": ("require('./app.js'); require('.');", 0),
    "require-outside": ("for (const f of ['/etc/passwd', '../../../../../../etc/passwd', '/proc/self/environ', "
                        "'file:///etc/passwd', '\\0', '..']) "
                        "{ try { console.log(require(f)); } catch (e) { console.log(e.code); } }", 0),
    "import-outside": ("for (const f of ['/etc/passwd', 'data:text/javascript,1', 'http://x/', '\\0']) import(f).catch((e) => "
                       "console.log(e.code));", 0),
    "read-outside": ("const fs = require('fs'); for (const f of ['/etc/passwd', '../../../../../etc/passwd', '/proc/self/environ', "
                     "'/dev/zero']) "
                     "{ try { console.log(String(fs.readFileSync(f)).length); } catch (e) { console.log(e.code); } }", 0),
    "bad-syntax": ("let let = ;", 0),
    "bad-unicode": ("console.log('\\ud800', '\\udc00\\ud800'); setTimeout(function \\u0061\\u{10000}() {}, 1);", 0),
    "no-text": ("", 0),
    "times-beyond": ("setTimeout(() => {}, 2 ** 31); setTimeout(() => {}, Infinity); setTimeout(() => {}, -1); setTimeout(() => {}, NaN); "
                     "new Date(8.64e15 + 1).toISOString;", 0),
    "time-beyond-the-limit": ("setTimeout(() => {}, 2 ** 31 - 1);", LIMIT),
    "weak-references": ("const r = new FinalizationRegistry(() => {}); for (let i = 0; i < 1e4; i++) { r.register({}, i); new "
                        "WeakRef({}); }", 0),
    "cpu-beyond": ("require('loopsim').cpu(1e300);", 0),
    "cpu-negative": ("require('loopsim').cpu(-1); require('loopsim').cpu(NaN);", 0),

    # ---- handles that are none, and functions of the host (bindings that trusted them wrote the host's memory) --------------------
    "port-that-is-a-number": ("const { port1 } = new MessageChannel(); const { get } = WeakMap.prototype;\n"
                              "WeakMap.prototype.get = function (key) { return key === port1 ? { handle: 123456789, end: { "
                              "messages: [1] } } "
                              ": Reflect.apply(get, this, [key]); };\n"
                              "port1.start(); port1.ref(); port1.close();", 0),
    "ports-that-are-numbers": ("const { port1 } = new MessageChannel(); const { get } = WeakMap.prototype; let handle = 2;\n"
                               "WeakMap.prototype.get = function (key) { return key === port1 ? { handle, end: { messages: [1] } } "
                               ": Reflect.apply(get, this, [key]); };\n"
                               "for (; handle < 2e5; handle = handle * 2 + 1) try { port1.start(); } catch {}\nsetTimeout(() => {}, "
                               "1);", 0),
    "answers-to-everything": ("const all = new Proxy(function () {}, { get: (t, key) => (key === Symbol.toPrimitive ? () => 4e9 : "
                              "key === 'then' ? undefined : key === 'length' ? 5 : all), apply: () => all, construct: () => all, "
                              "has: () => true });\n"
                              "const { port1 } = new MessageChannel(); const { Timeout } = require('timers'); const net = require('net');\n"
                              "Object.defineProperty(WeakMap.prototype, 'get', { get() { return all; }, set() {} });\n"
                              "for (const f of [() => port1.start(), () => port1.ref(), () => port1.postMessage(1), () => port1.hasRef(), "
                              "() => port1.close(), () => new MessageChannel(), () => net.createServer().listen(1), "
                              "() => new BroadcastChannel('x').postMessage(1)]) try { f(); } catch {}", LIMIT),
    "listen-with-a-number": ("let raw; const { find } = Array.prototype; const { apply } = Reflect;\n"
                             "Array.prototype.find = function (f) { for (const s of this) "
                             "if (s?.getFunction && s.getFunctionName?.() === 'netListen') raw = s.getFunction(); return "
                             "apply(find, this, [f]); };\n"
                             "const server = require('net').createServer().listen(8080, () => {\n"
                             "  const { constructor: Handle } = server._handle; const handle = new Handle(true, 'x');\n"
                             "  handle.listen({ valueOf() { new Error('in'); return 8081; } });\n"
                             "  if (raw) raw(77777777, 8082, 'p'); server.close();\n});", LIMIT),
    "listener-with-a-long-list": ("let raw; const { find } = Array.prototype; const { apply } = Reflect;\n"
                                  "Array.prototype.find = function (f) { for (const s of this) if (s?.getFunction && s.isNative() && "
                                  "s.getFunctionName() === 'callListener') raw = s.getFunction(); return apply(find, this, [f]); };\n"
                                  "const e = new (require('events'))(); e.on('x', () => { new Error('a'); }); e.emit('x');\n"
                                  "if (raw) raw(() => {}, 1, { length: 200000 }, 'x', false);", 0),
    "timer-methods-of-others": ("const t = setTimeout(() => {}, 1), i = setImmediate(() => {}), all = [t, i];\n"
                                "for (let n = 0; n < 3000; n++) all.push(require('child_process').spawn('x').on('error', () => {}));\n"
                                "for (const it of all) for (const P of [t, i].map(Object.getPrototypeOf)) for (const key of "
                                "Reflect.ownKeys(P)) {\n"
                                "  const { value, get, set } = Object.getOwnPropertyDescriptor(P, key);\n"
                                "  for (const f of [value, get]) if (typeof f === 'function' && f !== P.constructor) try { "
                                "f.call(it, 0, {}); } catch {}\n"
                                "  if (set) for (const v of [1, -1, null, () => {}, { valueOf: () => 5 }]) try { set.call(it, v); } "
                                "catch {}\n}", 0),
    "emit-with-many-arguments": ("const e = new (require('events'))(); e.on('x', (...all) => console.log(all.length));\n"
                                 "try { e.emit('x', ...Array(60000).fill(1)); } catch (error) { console.log(error.name); }", 0),
    "exit-codes": ("for (const code of [process, require('child_process').spawn('x').on('error', () => {}), setTimeout(() => {}), "
                   "Symbol('s'), "
                   "{ valueOf() { process.exitCode = 3; return 4; } }, 10n, 1e300, NaN]) try { process.exitCode = code; } catch {}\n"
                   "process.reallyExit({ valueOf() { process.reallyExit(5); } });", 0),
    "setters-of-objects": ("for (const key of ['path', 'text', 'size', 'times', 'files', '0', '1', 'stack', 'name', 'cores'])\n"
                           "  for (const o of [Object.prototype, Array.prototype]) Object.defineProperty(o, key, { set(value) { "
                           "process.reallyExit(0); } });\n"
                           "const fs = require('fs'); try { fs.readFileSync('x'); } catch {}\nprocess.getActiveResourcesInfo(); "
                           "console.log(new Map([[1, 2]]).entries());", 0),
    "errors-of-ours": ("globalThis.TypeError = globalThis.Error = function () { process.reallyExit(0); };\n"
                       "try { require('child_process').spawn('x').on.call({}, 'x', () => {}); } catch {}\nprocess.reallyExit(0);", 0),
    "requests-of-hooks": ("const fs = require('fs'); let n = 0; require('async_hooks').createHook({ init() { if (n++ < 50) "
                          "fs.stat('x', () => {}); }, "
                          "destroy() { if (n++ < 50) fs.stat('y', () => {}); } }).enable(); setTimeout(() => {}, 1); fs.stat('z', "
                          "() => {});", 0),
    "monitors": ("const { monitorEventLoopDelay } = require('perf_hooks'); const all = [];\n"
                 "for (const resolution of [1, 2 ** 31, 2 ** 53 - 1]) { const m = monitorEventLoopDelay({ resolution }); "
                 "m.enable(); all.push(m); }\n"
                 "setTimeout(() => all.forEach((m) => { m.mean; m.disable(); m.reset(); }), 5);", 0),
    "repeats-of-timers": ("for (const repeat of [Infinity, 1e300, -1e300, NaN, 0.5, {}, 'x', 2 ** 53]) { const t = setTimeout(() => "
                          "{ t._repeat = null; }, 1); "
                          "t._repeat = repeat; t._idleTimeout = repeat; t.refresh(); }", LIMIT),
}
