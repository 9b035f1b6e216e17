#include "sim/scenario/javascript_helpers.hpp"

#include <utility>

#include <fmt/format.h>

namespace loopsim::javascript {
namespace {

struct Source {
  Helper helper;
  std::string_view name;
  std::vector<Helper> needs;
  std::string_view text;  // {name} is replaced by the name of the helper `name` in this script
};

constexpr std::string_view kDraw =
    R"(// Random durations in milliseconds, from the same generator as the simulator's. Each place in the script that draws has a
// stream of its own.
const {draw}Streams = [];
function {draw}Stream(index) {
  if ({draw}Streams[index]) return {draw}Streams[index];
  let a = {seedLow}, b = {seedHigh}, c = index, counter = 1;
  const next = () => {
    const result = (a + b + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = (b ^ (b >>> 9)) >>> 0;
    b = (c + (c << 3)) >>> 0;
    c = (((c << 21) | (c >>> 11)) + result) >>> 0;
    return result;
  };
  for (let i = 0; i < 20; i++) next();
  const uniform = () => {
    const high = next() >>> 5;
    const low = next() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  };
  const normal = () => {
    for (;;) {
      const u = 2 * uniform() - 1;
      const v = 2 * uniform() - 1;
      const s = u * u + v * v;
      if (s < 1 && s !== 0) return u * Math.sqrt(-2 * {draw}Log(s) / s);
    }
  };
  return {draw}Streams[index] = { uniform, normal, position: 0 };
}
// Logarithm and exponential from basic operations, the same to the last bit everywhere.
const {draw}Float = new Float64Array(1);
const {draw}Words = new Uint32Array({draw}Float.buffer);
function {draw}Log(x) {
  {draw}Float[0] = x;
  let exponent = (({draw}Words[1] >>> 20) & 0x7ff) - 1022;
  {draw}Words[1] = ({draw}Words[1] & 0x000fffff) | 0x3fe00000;
  let m = {draw}Float[0];
  if (m < 0.70710678118654752440) {
    m = m * 2;
    exponent -= 1;
  }
  const s = (m - 1) / (m + 1);
  const s2 = s * s;
  let sum = 0;
  for (let k = 23; k >= 1; k -= 2) sum = sum * s2 + 1 / k;
  return exponent * 6.93147180369123816490e-01 + (exponent * 1.90821492927058770002e-10 + 2 * s * sum);
}
function {draw}Exp(x) {
  if (x > 700) x = 700;
  if (x < -700) return 0;
  const k = Math.floor(x / (6.93147180369123816490e-01 + 1.90821492927058770002e-10) + 0.5);
  const r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  let sum = 1;
  for (let i = 16; i >= 1; --i) sum = 1 + sum * r / i;
  {draw}Words[0] = 0;
  {draw}Words[1] = (k + 1023) << 20;
  return sum * {draw}Float[0];
}
function {draw}(index, kind, first, second) {
  const random = {draw}Stream(index);
  const a = Array.isArray(first) ? 0 : Math.round(first * 1e6);
  let ns = 0;
  switch (kind) {
    case 'uniform': ns = a + Math.floor(random.uniform() * (Math.round(second * 1e6) - a)); break;
    case 'exponential': ns = -a * {draw}Log(1 - random.uniform()); break;
    case 'normal': ns = a + Math.round(second * 1e6) * random.normal(); break;
    case 'lognormal': ns = a * {draw}Exp(second * random.normal()); break;
    case 'pareto': ns = a * {draw}Exp(-{draw}Log(1 - random.uniform()) / second); break;
    case 'choice': return first[Math.floor(random.uniform() * first.length)];
    case 'sequence': return first[random.position++ % first.length];
  }
  return Math.floor(Math.min(Math.max(ns, 0), 1e18)) / 1e6;
}
)";

constexpr std::string_view kPageCpu = R"(// Computes for this many milliseconds.
function {cpu}(ms) {
  if (globalThis.loopsim) return loopsim.cpu(ms);
  const end = performance.now() + ms;
  while (performance.now() < end);
}
)";

constexpr std::string_view kPageSpin = R"(// Waits busily until the clock has moved this many milliseconds.
function {spin}(ms) {
  if (globalThis.loopsim && loopsim.spin) return loopsim.spin(ms);
  const end = performance.now() + ms;
  while (performance.now() < end);
}
)";

constexpr std::string_view kNamed = R"(const {named} = (name, f) => Object.defineProperty(f, 'name', { value: name });
)";

// In the syntax of Node 4, except loopDelay, which needs Node 11.10.
const std::array<Source, kHelpers>& sources() {
  static const std::array<Source, kHelpers> kSources = {{
      {Helper::virtual_clock, "virtualClock", {}, R"(const {virtualClock} = Boolean(process.env.LOOPSIM_VCLOCK);
)"},
      {Helper::trace,
       "trace",
       {Helper::virtual_clock},
       R"(// Writes when each callback begins, in nanoseconds: at once under the virtual clock, else all when the process ends.
const {trace}From = process.hrtime();
let {trace}Lines = [];
let {trace}AtOnce = {virtualClock};
function {trace}Flush() {
  let bytes = Buffer.from({trace}Lines.map(line => line + '\n').join(''));
  {trace}Lines = [];
  const to = Number(process.env.LOOPSIM_TRACE_FD || 1);
  while (bytes.length > 0) bytes = bytes.slice({fs}.writeSync(to, bytes, 0, bytes.length));
}
function {trace}Line(line) {
  {trace}Lines.push(line);
  if ({trace}AtOnce) {trace}Flush();
}
function {trace}(label, kind) {
  const passed = process.hrtime({trace}From);
  {trace}Line(`${kind || 'callback'} ${label} ${passed[0] * 1e9 + passed[1]}`);
}
process.on('exit', () => {
  {trace}AtOnce = true;
  {trace}Flush();
  if ({virtualClock}) process.chdir({trace}Exiting ? 'vclock:exit' : 'vclock:end');
});
// An exception in a listener of 'exit' can stop process.exit(), until it calls this; the end of the loop it cannot.
let {trace}Exiting = false;
const {trace}Exit = process.exit;
process.exit = function () {
  {trace}Exiting = true;
  try {
    {trace}Exit.apply(process, arguments);
  } finally {
    {trace}Exiting = false;
  }
};
const {trace}ReallyExit = process.reallyExit;
process.reallyExit = function () {
  if ({virtualClock}) process.chdir('vclock:end');
  {trace}ReallyExit.apply(process, arguments);
};
)"},
      {Helper::busy_wait,
       "busyWait",
       {Helper::virtual_clock},
       R"(// These versions of Node wait busily for the rest of a delay with a fraction: virtual time passes at once.
if ({virtualClock}) {
  const Timer = process.binding('timer_wrap').Timer;
  const start = Timer.prototype.start;
  Timer.prototype.start = function (ms) {
    if (ms > 0 && ms < 1 && !this.owner) process.chdir('vclock:tick');
    return start.apply(this, arguments);
  };
}
)"},
      {Helper::output, "output", {Helper::trace}, R"(// In place of console.log.
function {output}(text) {
  String(text).split('\n').forEach(line => {trace}Line(`output ${line}`));
}
)"},
      {Helper::listen,
       "listen",
       {Helper::trace},
       R"(// Adds a listener that is traced, and that emitter.removeListener(event, listener) still finds.
function {listen}(emitter, method, event, listener, label) {
  let fired = false;
  const traced = function () {
    if (method === 'once') {
      if (fired) return;
      fired = true;
      emitter.removeListener(event, traced);
    }
    {trace}(label);
    return listener.apply(this, arguments);
  };
  traced.listener = listener;
  emitter.on(event, traced);
}
)"},
      {Helper::operations, "operations", {}, R"(let {operations} = {inputs};
)"},
      {Helper::elapsed, "millisecondsSince", {}, R"(function {millisecondsSince}(from) {
  const passed = process.hrtime(from);
  return passed[0] * 1e3 + passed[1] / 1e6;
}
)"},
      {Helper::cpu, "cpu", {Helper::virtual_clock, Helper::elapsed}, R"(// Computes for this many milliseconds.
function {cpu}(ms) {
  if ({virtualClock}) return process.chdir(`vclock:burn:${Math.round(ms * 1e6)}`);
  const from = process.hrtime();
  while ({millisecondsSince}(from) < ms);
}
)"},
      {Helper::spin,
       "spin",
       {Helper::virtual_clock, Helper::elapsed},
       R"(// Waits busily until the clock has moved this many milliseconds.
function {spin}(ms) {
  if ({virtualClock}) return process.chdir(`vclock:burn:${Math.round(ms * 1e6)}`);
  const from = process.hrtime();
  while ({millisecondsSince}(from) < ms);
}
)"},
      {Helper::pace,
       "iterationsPerMs",
       {Helper::virtual_clock, Helper::elapsed},
       R"(// How much a thread of the pool gets done in a millisecond.
const {iterationsPerMs} = {virtualClock} ? 0 : (() => {
  const from = process.hrtime();
  {crypto}.pbkdf2Sync('password', 'salt', 20000, 64, 'sha512');
  return 20000 / {millisecondsSince}(from);
})();
)"},
      {Helper::work,
       "work",
       {Helper::virtual_clock, Helper::operations, Helper::pace},
       R"(// Stands for the call `name`, as one request to the thread pool that takes this many milliseconds.
function {work}(name, ms, callback, code) {
  const done = () => callback(code ? Object.assign(new Error(`${code}, ${name.split('.')[1]}`), { code }) : null);
  if ({virtualClock}) {
    {fs}.access(`/vclock/op/${Math.round(ms * 1e6)}/${{operations}++}`, done);
  } else {
    {crypto}.pbkdf2('password', 'salt', Math.max(1, Math.round(ms * {iterationsPerMs})), 64, 'sha512', done);
  }
}
)"},
      {Helper::work_in_turn,
       "workInTurn",
       {Helper::work},
       R"(// The same for a call that makes several requests, one after another.
function {workInTurn}(name, times, callback) {
  const request = i => {
    if (i + 1 < times.length) {work}(name, times[i], () => request(i + 1));
    else {work}(name, times[i], callback);
  };
  request(0);
}
)"},
      {Helper::lookup,
       "lookup",
       {Helper::virtual_clock, Helper::work},
       R"(// Stands for dns.lookup, which takes this many milliseconds on the thread pool.
function {lookup}(ms, callback, code) {
  if (!{virtualClock}) return {work}('dns.lookup', ms, callback, code);
  const done = () => callback(code ? Object.assign(new Error(`${code}, lookup`), { code }) : null);
  {dns}.lookup(`vclock-op-${Math.round(ms * 1e6)}-${{operations}++}.invalid`, done);
}
)"},
      {Helper::child_process,
       "spawn",
       {Helper::virtual_clock, Helper::operations},
       R"(// Starts a child process that runs for this many milliseconds and then ends with this code.
function {spawn}(ms, code) {
  const options = { stdio: 'ignore' };
  if (!{virtualClock}) return {childProcess}.spawn('sh', ['-c', `sleep ${ms / 1e3}; exit ${code}`], options);
  const number = {operations}++;
  process.chdir(`vclock:child:${Math.round(ms * 1e6)}:${number}:${code}`);
  return {childProcess}.spawn(`vclock-child-${number}`, [], options);
}
)"},
      {Helper::outside,
       "outside",
       {Helper::virtual_clock},
       R"(// External inputs, in milliseconds from here, sent by a child process.
function {outside}(inputs) {
  if ({virtualClock}) {
    inputs.forEach((input, i) => {
      const what = input.signal ? `signal:${input.number}`
        : input.connect ? `connect:${input.client}:${input.connect}`
        : input.write ? `send:${input.client}:${input.write}` : `${input.end ? 'end' : 'close'}:${input.client}`;
      process.chdir(`vclock:at:${Math.round(input.at * 1e6)}:${i}:${what}`);
    });
    return;
  }
  const play = (pid, inputs) => {
    const clients = [];
    const act = input => {
      const client = clients[input.client];
      if (input.signal) process.kill(pid, input.signal);
      else if (input.connect) clients[input.client] = require('net').connect(input.connect).on('error', () => {}).resume();
      else if (input.write) client.write(input.write);
      else if (input.end) client.end();
      else client.destroy();
    };
    inputs.forEach(input => setTimeout(act, input.at, input));
  };
  const script = `(${play})(${process.pid}, ${JSON.stringify(inputs)})`;
  {childProcess}.spawn(process.execPath, ['-e', script], { stdio: 'ignore' }).unref();
}
)"},
      {Helper::deferred,
       "deferred",
       {},
       R"(// A promise that can be resolved and rejected from outside: its functions are kept beside it.
const {deferred}Functions = new WeakMap();
function {deferred}(executor) {
  let resolve, reject;
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
    if (executor) return executor(yes, no);
  });
  {deferred}Functions.set(promise, { resolve, reject });
  return promise;
}
{deferred}.of = promise => {deferred}Functions.get(promise);
)"},
      {Helper::clear, "clear", {}, R"(// Clears a timer or an immediate, whichever it is.
function {clear}(handle) {
  if (handle && handle.constructor.name === 'Immediate') clearImmediate(handle);
  else clearTimeout(handle);
}
)"},
      {Helper::draw, "draw", {}, kDraw},
      {Helper::loop_delay,
       "loopDelay",
       {},
       R"(// The event-loop delay as Node measures it; the results go to standard error at the end.
const {loopDelay} = {perfHooks}.monitorEventLoopDelay({ resolution: {resolution} });
{loopDelay}.enable();
process.on('exit', () => {
  const { min, max, mean, stddev } = {loopDelay};
  console.error(`event loop delay: min ${min}, max ${max}, mean ${mean}, stddev ${stddev}, p99 ${{loopDelay}.percentile(99)}`);
});
)"},
      {Helper::start, "start", {}, R"(const {start} = Date.now();
)"},
      {Helper::page_cpu, "cpu", {}, kPageCpu},
      {Helper::page_spin, "spin", {}, kPageSpin},
      {Helper::named, "named", {}, kNamed},
  }};
  return kSources;
}

}  // namespace

Helpers::Helpers(const Scenario& scenario, const JavaScriptOptions& options)
    : scenario_(scenario), instrumented_(options.instrumented), named_(options.named) {
  for (const Declaration& declaration : scenario.declarations) taken_.emplace(declaration.name);
  for (const auto& [name, body] : scenario.functions) taken_.emplace(name);
  fs_ = fresh("fs");
  crypto_ = fresh("crypto");
  dns_ = fresh("dns");
  net_ = fresh("net");
  child_process_ = fresh("childProcess");
  perf_hooks_ = fresh("perfHooks");
  for (const Source& source : sources()) {
    std::string& name = names_[static_cast<std::size_t>(source.helper)];
    if (source.helper == Helper::page_cpu || source.helper == Helper::page_spin)
      name = names_[static_cast<std::size_t>(source.helper == Helper::page_cpu ? Helper::cpu : Helper::spin)];
    else
      name = fresh(source.name);
  }
}

std::string Helpers::fresh(std::string_view wish) {
  std::string name(wish);
  const bool has_derived_names = wish == "trace" || wish == "draw" || wish == "deferred";  // such as traceLines
  const auto is_taken = [&] {
    const auto next = taken_.lower_bound(name);
    return next != taken_.end() && (has_derived_names ? next->starts_with(name) : *next == name);
  };
  for (int i = 2; is_taken(); ++i) name = fmt::format("{}{}", wish, i);
  taken_.insert(name);
  return name;
}

const std::string& Helpers::use(Helper helper) {
  bool& is_used = used_[static_cast<std::size_t>(helper)];
  if (!is_used) {
    is_used = true;
    for (const Helper needed : sources()[static_cast<std::size_t>(helper)].needs) use(needed);
  }
  return name(helper);
}

// Replaces {name} where it is the name of a helper or module.
std::string Helpers::filled(std::string_view source) const {
  std::string out;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t brace = source.find('{', at);
    const std::size_t end = brace == std::string_view::npos ? brace : source.find_first_of("{} \n", brace + 1);
    if (end == std::string_view::npos) {
      out += source.substr(at);
      break;
    }
    out += source.substr(at, brace - at);
    const std::string_view word = source.substr(brace + 1, end - brace - 1);
    std::string value;
    if (source[end] == '}') {
      for (const Source& other : sources()) {
        if (other.name == word) value = name(other.helper);
      }
      if (word == "fs") value = fs_;
      if (word == "crypto") value = crypto_;
      if (word == "dns") value = dns_;
      if (word == "childProcess") value = child_process_;
      if (word == "perfHooks") value = perf_hooks_;
      if (word == "resolution") value = std::to_string(scenario_.runtime.delay_resolution);
      if (word == "inputs") value = std::to_string(scenario_.inputs.size());
      // A run in a page has the seed of the run, not the document's.
      if (word == "seedLow") value = named_ ? "loopsim.seed[0]" : std::to_string(scenario_.seed & 0xffffffffU);
      if (word == "seedHigh") value = named_ ? "loopsim.seed[1]" : std::to_string(scenario_.seed >> 32U);
    }
    if (value.empty()) {
      out += '{';
      at = brace + 1;
    } else {
      out += value;
      at = end + 1;
    }
  }
  return out;
}

std::string Helpers::modules() const {
  std::vector<std::pair<std::string, std::string_view>> wanted;  // local name, module
  if (uses_emitter_) wanted.emplace_back("EventEmitter", "events");
  if (uses_child_process_ || uses(Helper::child_process) || uses(Helper::outside))
    wanted.emplace_back(child_process_, "child_process");
  if (uses(Helper::work)) wanted.emplace_back(crypto_, "crypto");
  if (uses(Helper::lookup)) wanted.emplace_back(dns_, "dns");
  if (uses(Helper::work) || uses(Helper::trace)) wanted.emplace_back(fs_, "fs");
  if (uses_net_) wanted.emplace_back(net_, "net");
  if (uses(Helper::loop_delay)) wanted.emplace_back(perf_hooks_, "perf_hooks");
  std::string out;
  for (const auto& [local, module] : wanted) {
    out += scenario_.runtime.entry == EntryPoint::module ? fmt::format("import {} from '{}';\n", local, module)
                                                         : fmt::format("const {} = require('{}');\n", local, module);
  }
  return out;
}

std::string Helpers::text() const {
  std::string out;
  const std::string imports = modules();
  if (instrumented_) out += "if (process.env.LOOPSIM_VCLOCK) process.chdir('vclock:start');\n";
  out = scenario_.runtime.entry == EntryPoint::module ? imports + out : out + imports;
  for (const Source& source : sources()) {
    if (!uses(source.helper)) continue;
    if (!out.empty()) out += '\n';
    out += filled(source.text);
  }
  return out;
}

}  // namespace loopsim::javascript
