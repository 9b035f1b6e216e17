#include "tests/fuzz/program_writer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "tests/fuzz/surroundings.hpp"
#include "tests/fuzz/values.hpp"

namespace loopsim::fuzz {
namespace {

constexpr std::size_t kMostPieces = 60;  // of a program
constexpr std::size_t kMostDepth = 5;    // of what stands in holes

// What the statements know; a name's first letter is its kind (`timer` and so on, in kHoles).
constexpr std::string_view kNames =
    "const events = require('events'), util = require('util'), fs = require('fs'), loopsim = require('loopsim');\n"
    "var t0 = setTimeout(f0, 2), t1 = setInterval(() => clearInterval(t1), 1), i0 = setImmediate(f0, 1), t2, i1, v0 = "
    "1, v1 = {}, v2 = [], g0, g1, w0, w1;\n"
    "var p0 = Promise.resolve(1), p1 = new Promise((y, n) => { w0 = y; w1 = n; }), p2 = Promise.reject(2);\n"
    "var e0 = new events(), e1 = new events(); p2.catch(() => {});\n"
    "function f0(...a) { console.log('f0', ...a); }\n"
    "function f1(a) { if (typeof a === 'function') a(); return a; }\n"
    "async function f2(a) { await a; console.log('f2'); return a; }\n";

// {statement}, {block} (statements), {value}, {call} (a function), {ms}, {name}, {event}, {promise}, {timer}, {immediate},
// {emitter}, {stream}, {key}, {error}: what stands there is chosen. The first of a list is the smallest.
constexpr auto kStatements = std::to_array<std::string_view>({
    "console.log({value});",
    // timers, immediates, ticks, microtasks
    "{timer} = setTimeout({call}, {ms});",
    "{timer} = setTimeout({call}, {ms}, {value}, {value});",
    "{timer} = setInterval({call}, {ms});",
    "{immediate} = setImmediate({call}, {value});",
    "process.nextTick({call}, {value});",
    "queueMicrotask({call});",
    "clearTimeout({timer});",
    "clearInterval({value});",
    "clearImmediate({immediate});",
    "{timer}.{key}();",
    "{timer}.refresh();",
    "{timer}.unref().ref().hasRef();",
    "{immediate}.unref();",
    "+{timer}; `${{timer}}`;",
    "require('timers/promises').setTimeout({ms}, {value}, { signal: g0 }).then({call}, {call});",
    "require('timers/promises').scheduler.wait({ms}).finally({call});",
    "(async () => { for await (const v of require('timers/promises').setInterval({ms}, {value})) { {block} break; } "
    "})().catch({call});",
    "util.promisify({call})({value}).then({call}, {call});",
    "loopsim.cpu(1);",
    "for (let n = 0; n < 300; n++) { v0 = n; }",
    // promises
    "{name} = {promise}.then({call}, {call});",
    "{promise}.catch({call}).finally({call});",
    "{name} = Promise.all([{promise}, {value}, {promise}]);",
    "Promise.race([{promise}, {promise}]).then({call});",
    "Promise.any([{promise}, {promise}]).catch({call});",
    "Promise.allSettled([{promise}, {value}]).then({call});",
    "{name} = new Promise((y, n) => { {block} y({value}); n({error}); });",
    "Promise.reject({error});",
    "w0({value}); w1({error});",
    "p1 = Promise.withResolvers(); w0 = p1.resolve; p1 = p1.promise;",
    "(async () => { {block} await {value}; {block} })();",
    "(async () => { try { await {promise}; {block} } catch (e) { {block} } finally { {block} } })().then({call});",
    "{name} = (async function f() { return {value}; })();",
    "(async () => { for await (const v of [{promise}, {value}]) { {block} } })().catch({call});",
    "g1 = (async function* g() { try { yield {value}; yield* [{promise}]; {block} } finally { {block} } })(); "
    "g1.next(); g1.next();",
    "g1.return({value}).then({call}, {call});",
    "g1.throw({error}).catch({call});",
    "(async () => { await using a = { [Symbol.asyncDispose]: {call} }; {block} })().catch({call});",
    "{ class P extends Promise { then(a, b) { {block} return super.then(a, b); } } {name} = new P((y) => y({value})); "
    "}",
    "{promise}.then = {call}; {promise}.constructor = {value};",
    // emitters, targets, ports
    "{emitter}.on({event}, {call});",
    "{emitter}.once({event}, {call});",
    "{emitter}.prependListener({event}, {call});",
    "{emitter}.emit({event}, {value}, {value});",
    "{emitter}.off({event}, f0).removeAllListeners({event});",
    "events.once({emitter}, {event}).then({call}, {call});",
    "(async () => { for await (const v of events.on({emitter}, {event})) { {block} } })().catch({call});",
    "e1 = new events({ captureRejections: true }); e1[Symbol.for('nodejs.rejection')] = {call};",
    "{emitter}.setMaxListeners({value});",
    "g0 = AbortSignal.timeout({ms}); g0.onabort = {call};",
    "{ const c = new AbortController(); g0 = c.signal; g0.addEventListener('abort', {call}, { once: true }); "
    "c.abort({value}); }",
    "AbortSignal.any([g0, AbortSignal.abort()]).addEventListener('abort', {call});",
    "{ const t = new EventTarget(); t.addEventListener('x', {call}); t.addEventListener('x', { handleEvent: {call} }); "
    "t.dispatchEvent(new Event('x')); }",
    "{ const { port1, port2 } = new MessageChannel(); port1.onmessage = {call}; port2.postMessage({value}); "
    "port1.ref(); port2.close(); }",
    "{ const { port1, port2 } = new MessageChannel(); port2.postMessage({value}); "
    "console.log(require('worker_threads').receiveMessageOnPort(port1)); }",
    "{ const a = new BroadcastChannel('c'), b = new BroadcastChannel('c'); b.onmessage = () => { b.close(); {block} }; "
    "a.postMessage({value}); a.unref(); }",
    // the process
    "process.on({event}, {call});",
    "process.once('exit', {call});",
    "process.on('uncaughtException', {call});",
    "process.on('unhandledRejection', {call});",
    "process.emit({event}, {value});",
    "process.removeAllListeners({event});",
    "process.exitCode = {value};",
    "process.exit({value});",
    "process.emitWarning({value}, {value});",
    "process.kill(process.pid, {value});",
    "process.stdout.write(String({value}), {call});",
    "process.stderr.write('x\\n');",
    "process.hrtime(); performance.now(); Date.now(); process.uptime();",
    "process.getActiveResourcesInfo(); process.memoryUsage();",
    "process.stdin.on('data', {call}).on('end', {call});",
    "{ const h = require('perf_hooks').monitorEventLoopDelay({ resolution: {ms} }); h.enable(); setTimeout(() => { "
    "h.disable(); console.log(h.mean); }, 20); }",
    "require('perf_hooks').performance.eventLoopUtilization();",
    // contexts
    "{ const s = new (require('async_hooks').AsyncLocalStorage)(); s.run({value}, {call}); s.enterWith({value}); "
    "{block} s.exit({call}); }",
    "{ const r = new (require('async_hooks').AsyncResource)('r'); r.runInAsyncScope({call}); r.emitDestroy(); }",
    "require('async_hooks').AsyncResource.bind({call})();",
    // streams
    "({stream}).on('data', {call}).on('end', {call}).on('error', {call});",
    "({stream}).on('readable', function () { this.read(); {block} });",
    "({stream}).pipe({stream}).on('finish', {call});",
    "require('stream').pipeline({stream}, {stream}, {call});",
    "require('stream').finished({stream}, {call});",
    "(async () => { for await (const c of {stream}) { {block} } })().catch({call});",
    "{ const s = {stream}; s.write({value}, {call}); s.end({value}, {call}); {block} s.destroy({error}); }",
    "{ const s = {stream}; s.pause(); s.push({value}); s.unshift({value}); s.resume(); s.push(null); }",
    "{ const s = {stream}; s.cork(); s.write('a'); s.write('b'); process.nextTick(() => s.uncork()); }",
    // files, the network, the pool
    "fs.readFile({file}, {call});",
    "fs.promises.readFile({file}, 'utf8').then({call}, {call});",
    "fs.writeFile('/tmp/x', String({value}), {call});",
    "console.log(fs.readFileSync({file}, 'utf8').length, fs.existsSync({file}), fs.readdirSync('.'));",
    "fs.open({file}, 'r', (e, d) => { fs.read(d, Buffer.alloc(9), 0, 9, {value}, {call}); fs.close(d, {call}); });",
    "fs.stat({file}, {call});",
    "fs.createReadStream({file}, { highWaterMark: 9, start: 1, end: {value} }).on('data', {call}).on('close', "
    "{call}).on('error', {call});",
    "fs.createWriteStream('/tmp/y').on('error', {call}).end({value}, {call});",
    "require('crypto').pbkdf2('a', 'b', 1, 8, 'sha1', {call});",
    "require('crypto').randomBytes(4, {call});",
    "require('crypto').createHash('sha256').update(String({value})).digest({value});",
    "require('zlib').gzip('abc', (e, b) => { require('zlib').gunzip(b, {call}); });",
    "require('zlib').inflate(Buffer.from('x'), {call});",
    "require('dns').lookup('a.b', {call});",
    "require('child_process').exec('true', {call}).on('exit', {call});",
    "require('child_process').spawn('x', [], { timeout: {ms} }).on('close', {call}).kill({value});",
    "{ const n = require('net'), s = n.createServer((c) => { c.end('bye'); c.on('error', {call}); {block} "
    "}).listen(8081, {call}); s.on('error', {call}); "
    "const c = n.connect(8081, {call}); c.on('data', {call}).on('close', () => s.close({call})).on('error', {call}); "
    "c.write('hi'); }",
    "{ const n = require('net'), s = n.createServer({call}).listen(0); s.unref(); s.close(); }",
    "require('readline').createInterface({ input: {emitter} }).on('line', {call}).on('close', {call});",
    // the language
    "{ {block} }",
    "if ({value}) { {block} } else { {block} }",
    "try { {block} } catch (e) { {block} } finally { {block} }",
    "for (const v of {value}) { {block} break; }",
    "throw {error};",
    "{name} = {value};",
    "v1[{value}] = {value};",
    "f1({call});",
    "eval({value});",
    "new Function('a', 'return a(1)')({call});",
    "(function r(n) { if (n > 0) r(n - 1); else { {block} } })(9);",
    "(function r() { r(); })();",
    "[3, 1, 2].sort({call}); 'abc'.replace(/b/g, {call});",
    "JSON.stringify({value}, {call}); JSON.parse('[1,{\"a\":2}]', {call});",
    "structuredClone({value}); util.inspect({value}, { showHidden: true, getters: true });",
    "new FinalizationRegistry({call}).register({}, 1); new WeakRef({}).deref(); globalThis.gc && gc();",
    "require('./module.js'); require({value});",
    "import('./module.mjs').then({call}, {call});",
    "module.children; require.cache[require.resolve('./module.js')] = {value};",
    "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);",
    "new Uint8Array(8).buffer.transfer && Buffer.from({value}).toString({value});",
    "require('assert').deepStrictEqual({value}, {value});",
    // tampering
    "Object.defineProperty(Object.prototype, '{key}', { get() { {block} return {value}; }, set: f0, configurable: true "
    "});",
    "delete Object.prototype['{key}'];",
    "Array.prototype[Symbol.iterator] = {value};",
    "Promise.prototype.then = {value}; Promise.resolve = {value};",
    "Function.prototype.call = Function.prototype.apply = {value};",
    "Error.prepareStackTrace = {value}; Error.stackTraceLimit = {value};",
    "events.prototype.emit = {value};",
    "process.emit = process.listenerCount = {value};",
    "Object.setPrototypeOf({timer}, {value}); Object.freeze({emitter});",
    "delete globalThis.setTimeout; globalThis.Promise = {value};",
});

struct Hole {
  std::string_view name;
  std::span<const std::string_view> texts;
};

constexpr auto kValues = std::to_array<std::string_view>({
    "0",
    "1",
    "'x'",
    "undefined",
    "null",
    "{promise}",
    "{call}",
    "{name}",
    "-1",
    "NaN",
    "Infinity",
    "2 ** 31",
    "1e300",
    "''",
    "'\\ud800'",
    "'a\\n'.repeat(9)",
    "'SIGINT'",
    "10n",
    "Symbol('s')",
    "true",
    "[{value}, {value}]",
    "{ a: {value} }",
    "Object.create(null)",
    "{error}",
    "{emitter}",
    "{timer}",
    "{stream}",
    "Buffer.from('b')",
    "new Map([[{value}, {value}]])",
    "new Date(0)",
    "/a/g",
    "globalThis",
    "process",
    "{ then: {call} }",
    "{ get then() { {block} return f1; } }",
    "{ toString() { {block} return 'x'; } }",
    "{ valueOf() { throw {value}; } }",
    "{ [Symbol.toPrimitive]: {call} }",
    "{ [Symbol.iterator]: {call} }",
    "{ get message() { throw 1; }, get stack() { throw 2; }, get name() { throw 3; } }",
    "new Proxy({}, { get: {call}, has: {call}, ownKeys: {call}, getPrototypeOf: {call} })",
    "new Proxy(() => {}, { apply: {call}, get() { throw 1; } })",
    "Proxy.revocable({}, {}).proxy",
});
constexpr auto kCalls = std::to_array<std::string_view>({
    "() => {}",
    "() => { {block} }",
    "f0",
    "(a) => { console.log(a); {block} }",
    "function f(a, b) { {block} return {value}; }",
    "async () => { {block} }",
    "async function h(a) { await a; {block} }",
    "() => { throw {error}; }",
    "function* () { yield {value}; }",
    "f1",
    "f2",
    "f0.bind(null, {value})",
    "(y, n) => y({value})",
    "new Proxy(f0, { apply: {call} })",
    "Object.defineProperty(() => {}, 'name', { get() { throw 1; } })",
    "{value}",
});
constexpr auto kErrors = std::to_array<std::string_view>(
    {"new Error('e')", "{value}", "new TypeError('t', { cause: {value} })",
     "Object.assign(new Error('c'), { code: {value} })", "new AggregateError([{value}])", "null"});
constexpr auto kPromises = std::to_array<std::string_view>({"p0", "p1", "p2", "Promise.resolve({value})", "f2({value})",
                                                            "(async () => { {block} })()", "Promise.reject({error})"});
constexpr auto kStreams = std::to_array<std::string_view>(
    {"require('stream').Readable.from(['a', {value}])", "new (require('stream').PassThrough)()",
     "new (require('stream').Readable)({ highWaterMark: 2, read() { {block} this.push({value}); this.push(null); } })",
     "new (require('stream').Writable)({ highWaterMark: 2, write(c, e, d) { {block} d({value}); }, final(d) { "
     "setImmediate(d); } })",
     "new (require('stream').Transform)({ objectMode: true, transform(c, e, d) { {block} d(null, c); }, flush(d) { "
     "d(); } })",
     "new (require('stream').Duplex)({ autoDestroy: false, read: {call}, write: {call}, destroy(e, d) { d(e); } })",
     "process.stdout", "{value}"});
constexpr auto kTimes = std::to_array<std::string_view>({"0", "1", "2", "5", "1.5", "10", "-1", "1e9", "{value}"});
constexpr auto kEvents = std::to_array<std::string_view>(
    {"'x'", "'error'", "'exit'", "'beforeExit'", "'warning'", "'newListener'", "'removeListener'", "'SIGINT'",
     "'rejectionHandled'", "'uncaughtException'", "events.errorMonitor", "'close'", "{value}"});
constexpr auto kFiles = std::to_array<std::string_view>(
    {"'a.txt'", "'large.bin'", "'none'", "'.'", "'/tmp/x'", "new URL('file:///tmp/x')", "{value}"});
constexpr auto kKeys = std::to_array<std::string_view>(
    {"close", "unref", "ref", "hasRef", "refresh", "then", "name", "get", "value", "length"});
constexpr auto kTimers = std::to_array<std::string_view>({"t0", "t1", "t2"});
constexpr auto kImmediates = std::to_array<std::string_view>({"i0", "i1"});
constexpr auto kEmitters = std::to_array<std::string_view>({"e0", "e1", "process"});
constexpr auto kVariables =
    std::to_array<std::string_view>({"v0", "v1", "p0", "v2", "p1", "t0", "e1", "f1", "g0", "i0"});
constexpr std::array<Hole, 13> kHoles = {{{"value", kValues},
                                          {"call", kCalls},
                                          {"error", kErrors},
                                          {"promise", kPromises},
                                          {"stream", kStreams},
                                          {"ms", kTimes},
                                          {"event", kEvents},
                                          {"file", kFiles},
                                          {"key", kKeys},
                                          {"timer", kTimers},
                                          {"immediate", kImmediates},
                                          {"emitter", kEmitters},
                                          {"name", kVariables}}};

class Writer {
 public:
  explicit Writer(Choices& choices) : choices_(choices) {}

  [[nodiscard]] bool is_full() const { return pieces_ >= kMostPieces; }

  // Most may throw, and what comes behind them shall run.
  std::string statement() {
    const std::string text = filled(choices_.of(kStatements));
    return choices_.mostly() ? "try { " + text + " } catch {}" : text;
  }
  std::string value() { return filled(is_full() || depth_ >= kMostDepth ? kValues[0] : choices_.of(kValues)); }

 private:
  std::string filled(std::string_view text) {
    ++pieces_;
    ++depth_;
    std::string made;
    while (!text.empty()) {
      const std::size_t open = text.find('{');
      made += text.substr(0, open);
      if (open == std::string_view::npos) break;
      text.remove_prefix(open);
      const std::size_t close = text.find('}');
      const std::string_view name = text.substr(1, close == std::string_view::npos ? 0 : close - 1);
      if (const auto hole = in_hole(name)) {
        made += *hole;
        text.remove_prefix(close + 1);
      } else {
        made += '{';  // JavaScript's own
        text.remove_prefix(1);
      }
    }
    --depth_;
    return made;
  }

  std::optional<std::string> in_hole(std::string_view name) {
    const bool is_last = is_full() || depth_ >= kMostDepth;
    if (name == "block") return is_last ? std::string() : block();
    for (const Hole& hole : kHoles) {
      if (hole.name == name) return filled(is_last ? hole.texts[0] : choices_.of(hole.texts));
    }
    return std::nullopt;
  }

  std::string block() {
    std::string made;
    for (std::size_t count = choices_.below(3); count > 0; --count) made += (made.empty() ? "" : " ") + statement();
    return made;
  }

  Choices& choices_;
  std::size_t pieces_ = 0, depth_ = 0;
};

}  // namespace

std::string around_text_of(Choices& choices) {
  Values values(choices);
  Surroundings surroundings(choices, values);
  Json around;
  around["runtime"] = surroundings.runtime().json;
  if (Json machine = surroundings.machine(); !machine.is_null()) around["machine"] = std::move(machine);
  around["seed"] = surroundings.seed();
  if (choices.one_in(4)) around["inputs"] = surroundings.inputs();
  around["limits"] = surroundings.limits();
  if (Json params = values.take_params(); !params.empty()) around["params"] = std::move(params);
  return std::string(kAround) + around.dump() + "\n";
}

std::string statement_of(Choices& choices) { return Writer(choices).statement(); }
std::string value_of(Choices& choices) { return Writer(choices).value(); }

std::string program_text_of(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kMostStatements = 12;
  Choices choices(bytes);
  std::string text = around_text_of(choices) + std::string(kNames);
  for (std::size_t count = 1 + choices.below(kMostStatements); count > 0; --count) text += statement_of(choices) + "\n";
  return text;
}

std::string scenario_with(std::string_view program) {
  Json document = Json::object();
  if (program.starts_with(kAround)) {
    const std::size_t end = std::min(program.find('\n'), program.size());
    Json around = Json::parse(program.substr(kAround.size(), end - kAround.size()), nullptr, false);
    if (around.is_object()) document = std::move(around);
  }
  document["title"] = "a program";
  document["files"] = {{"a.txt", "some text"},
                       {"module.js", "exports.a = 1; setImmediate(() => console.log('module'));"},
                       {"module.mjs", "export const a = await null;"},
                       {"large.bin", {{"size", 70'000}, {"takes", "1ms"}}},
                       {"/tmp/", Json::object()}};
  Json lines = Json::array();
  for (std::size_t from = 0; from <= program.size();) {
    const std::size_t end = std::min(program.find('\n', from), program.size());
    lines.push_back(std::string(program.substr(from, end - from)));
    from = end + 1;
  }
  document["script"] = std::move(lines);
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace loopsim::fuzz
