#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/scenario/javascript_text.hpp"
#include "tests/support/files.hpp"
#include "tests/support/scenario_files.hpp"
#include "tests/unit/scenario_support.hpp"

using namespace loopsim;
using namespace front_end;

namespace {

std::string script(std::string text, bool instrumented = false, const ReadOptions& options = {}) {
  const ReadResult result = read(std::move(text), options);
  for (const Diagnostic& diagnostic : result.diagnostics) UNSCOPED_INFO(to_string(diagnostic));
  REQUIRE(result.scenario.has_value());
  JavaScriptOptions how;
  how.instrumented = instrumented;
  return to_javascript(*result.scenario, how);
}

// The script for these steps, without 'use strict' and the empty line after it.
std::string steps(std::string_view main, std::string_view more = {}) {
  const std::string whole = script(document(main, more));
  const std::string_view head = "'use strict';\n\n";
  REQUIRE(whole.starts_with(head));
  return whole.substr(head.size());
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("JavaScript's spelling", "[javascript]") {
  using namespace loopsim::javascript;
  CHECK(js_quoted("it's a \\ \n \x01") == R"('it\'s a \\ \n \x01')");
  CHECK(js_quoted("\xE2\x80\xA8") == "'\\u2028'");
  CHECK(template_part("a`b ${c} $d {") == "a\\`b \\${c} $d {");
  CHECK(number(100) == "100");
  CHECK(number(0.1) == "0.1");
  CHECK(number(-0.0) == "-0");
  CHECK(number(1e21) == "1e+21");
  CHECK(number(2147483648.0) == "2147483648");
  CHECK(milliseconds(1'500'000) == "1.5");
  CHECK(milliseconds(1) == "0.000001");
  CHECK(milliseconds(95 * kMillisecond) == "95");
}

TEST_CASE("a script as a person writes it", "[javascript]") {
  CHECK(script(R"({
    "title": "A 100 ms timer", "description": ["One line,", "and another."], "source": "the manual",
    "main": [
      {"mark": "scheduled"},
      {"setTimeout": 100, "as": "timer", "do": [{"log": "{since scheduled}ms have passed"}]},
      {"setImmediate": [{"log": "it's done"}, {"clear": "timer"}]}
    ]})") == R"(// A 100 ms timer
//
// One line,
// and another.
//
// Source: the manual
'use strict';

let scheduled, timer;

scheduled = Date.now();
timer = setTimeout(() => console.log(`${Date.now() - scheduled}ms have passed`), 100);
setImmediate(() => {
  console.log('it\'s done');
  clearTimeout(timer);
});
)");
}

TEST_CASE("variables and control in JavaScript", "[javascript]") {
  CHECK(steps(R"({"let": {"n": 0}}, {"repeat": 3, "as": "i", "do": [{"add": {"n": "{i}"}}]},
                 {"repeat": 2, "do": [{"repeat": 2, "do": [{"add": {"n": 1}}]}]},
                 {"if": ["n", ">=", 3], "then": [{"log": "{n}"}], "else": [{"log": ["few", 1]}]},
                 {"try": [{"throw": "no"}], "catch": [{"throw": "{error}"}], "finally": [{"set": {"n": "{undefined}"}}]})") ==
        R"(let n = 0;
for (let i = 0; i < 3; i++) {
  n += i;
}
for (let i2 = 0; i2 < 2; i2++) {
  for (let j = 0; j < 2; j++) {
    n += 1;
  }
}
if (n >= 3) {
  console.log(`${n}`);
} else {
  console.log('few', 1);
}
try {
  throw new Error('no');
} catch (error) {
  throw error;
} finally {
  n = undefined;
}
)");
}

TEST_CASE("functions in JavaScript", "[javascript]") {
  CHECK(
      steps(
          R"({"call": "f", "with": [1, "x"], "as": "r"}, {"log": "{r}"}, {"setTimeout": 5, "do": "f", "with": 2}, {"async": "g"})",
          R"(, "functions": {"f": {"parameters": ["a", "b"], "do": [{"return": "{b}"}]}, "g": [{"await": null}]})") ==
      R"(let r;

function f(a, b) {
  return b;
}

async function g() {
  await null;
}

r = f(1, 'x');
console.log(`${r}`);
setTimeout(f, 5, 2);
g();
)");
}

TEST_CASE("promises that are settled from the beginning in JavaScript", "[javascript]") {
  CHECK(steps(R"({"resolved": 1, "as": "p"}, {"rejected": "boom"}, {"rejected": {"error": "x", "name": "TypeError"}},
                 {"then": {"resolved": "{p}"}, "do": []}, {"rejected": null, "as": "q"}, {"all": ["p", "q"]})") ==
        R"(let p, q;

p = Promise.resolve(1);
Promise.reject(new Error('boom'));
Promise.reject(new TypeError('x'));
Promise.resolve(p).then(() => {});
q = Promise.reject(null);
Promise.all([p, q]);
)");
}

TEST_CASE("promises in JavaScript", "[javascript]") {
  CHECK(steps(R"({"promise": "p", "do": [{"setTimeout": 1, "do": [{"resolve": "p", "with": 7}]}]},
                 {"then": "p", "do": [{"log": "{value}"}], "catch": [{"log": "no"}], "as": "q"},
                 {"all": ["p", "q", null], "as": "both"}, {"then": "both", "rejected": [{"log": "{error}"}]},
                 {"async": [{"await": {"setTimeout": 10}}, {"await": "q", "as": "x"},
                 {"return": {"then": null, "do": [{"log": "{x}"}]}}]})") ==
        R"(let p, q, both, x;

p = new Promise(resolve => {
  setTimeout(() => {
    resolve(7);
  }, 1);
});
q = p.then(value => console.log(`${value}`)).catch(() => console.log('no'));
both = Promise.all([p, q, Promise.resolve()]);
both.then(undefined, error => console.log(`${error}`));
(async () => {
  await new Promise(resolve => setTimeout(resolve, 10));
  x = await q;
  return Promise.resolve().then(() => console.log(`${x}`));
})();
)");
}

TEST_CASE("a promise that is settled from outside", "[javascript]") {
  const std::string text = script(document(
      R"({"promise": "p"}, {"promise": "q", "do": [{"promise": "r", "do": [{"reject": "q", "error": "no"},
                 {"resolve": "r"}]}]}, {"resolve": "p"})"));
  CHECK(contains(text, "function deferred(executor)"));
  CHECK(contains(text, "p = deferred();"));
  CHECK(contains(text, "deferred.of(p).resolve();"));
  CHECK(contains(text, "q = new Promise((resolve, reject) => {\n  r = new Promise(resolve2 => {\n"));
  CHECK(contains(text, "    reject(new Error('no'));\n    resolve2();\n  });\n});"));
}

TEST_CASE("a promise that another variable settles", "[javascript]") {
  const std::string text = script(document(R"({"promise": "p"}, {"set": {"q": "{p}"}}, {"resolve": "q"})"));
  CHECK(text.ends_with("p = deferred();\nq = p;\ndeferred.of(q).resolve();\n"));
}

TEST_CASE("the fields of what is caught, which may be no error", "[javascript]") {
  const auto caught = [](const std::string& thrown) {
    return steps(R"({"try": [{"throw": )" + thrown + R"(}], "catch": [{"log": "{error.message}"}]})");
  };
  CHECK(caught(R"("x")") ==
        "try {\n  throw new Error('x');\n} catch (error) {\n  console.log(`${error.message}`);\n}\n");
  CHECK(caught("1") == "try {\n  throw 1;\n} catch (error) {\n  console.log(`${error && error.message}`);\n}\n");
}

TEST_CASE("the right clear", "[javascript]") {
  const auto clear = [](const std::string& main) { return script(document(main + R"(, {"clear": "x"})")); };
  CHECK(contains(clear(R"({"setTimeout": 1, "do": [], "as": "x"})"), "clearTimeout(x);"));
  CHECK(contains(clear(R"({"setInterval": 1, "do": [], "as": "x"})"), "clearInterval(x);"));
  CHECK(contains(clear(R"({"setImmediate": [], "as": "x"})"), "clearImmediate(x);"));
  CHECK(contains(clear(R"({"setImmediate": [], "as": "x"}, {"setTimeout": 1, "do": [], "as": "x"})"), "\nclear(x);"));
  CHECK(contains(clear(R"({"setImmediate": [], "as": "y"}, {"set": {"x": "{y}"}})"), "\nclear(x);"));
}

TEST_CASE("log never lets console.log take a text for a format", "[javascript]") {
  CHECK(steps(R"({"log": ["100%", "x"]}, {"log": "%d"}, {"log": []}, {"log": [true, null]})") ==
        "console.log(`100% x`);\nconsole.log('%d');\nconsole.log();\nconsole.log(true, null);\n");
}

TEST_CASE("values in JavaScript", "[javascript]") {
  CHECK(
      steps(
          R"({"set": {"e": {"error": "a {n}", "name": "TypeError", "code": "EBAD"}, "n": -1.5, "t": "", "z": "{e.message}"}})") ==
      "let e, n, t, z;\n\ne = Object.assign(new TypeError(`a ${n}`), { code: 'EBAD' });\nn = -1.5;\nt = '';\nz = "
      "`${e && e.message}`;\n");
}

TEST_CASE("work elsewhere comes with its helpers, and only with those", "[javascript]") {
  const std::string text = script(document(
      R"({"fs": "readFile", "takes": {"open": 1, "read": "2.5ms"}, "do": "f"},
                 {"fs": "stat", "error": "ENOENT", "do": []}, {"async": [{"await": {"dns": "lookup", "takes": 3}}]})",
      R"(, "functions": {"f": []})"));
  CHECK(contains(text, "workInTurn('fs.readFile', [1, 0, 2.5, 0], f);"));
  CHECK(contains(text, "work('fs.stat', 0, () => {}, 'ENOENT');"));
  CHECK(contains(text, "await new Promise(resolve => lookup(3, () => resolve()));"));
  CHECK(contains(text, "require('dns')"));
  CHECK_FALSE(contains(text, "function spin"));
  CHECK_FALSE(contains(text, "require('events')"));
  CHECK_FALSE(contains(steps(R"({"log": 1})"), "require"));
}

TEST_CASE("helpers give way to the scenario's own names", "[javascript]") {
  const std::string text = script(document(
      R"({"cpu": 1}, {"set": {"cpu": 1, "millisecondsSince": 2}}, {"fs": "stat", "do": [{"log": "{fs}"}]},
                 {"set": {"fs": 1, "workers": 1}})"));
  CHECK(contains(text, "function cpu2(ms)"));
  CHECK(contains(text, "while (millisecondsSince2(from) < ms);"));
  CHECK(contains(text, "const fs2 = require('fs');"));
  CHECK(contains(text, "fs2.access("));
  CHECK(contains(text, "work('fs.stat'"));
}

TEST_CASE("events in JavaScript", "[javascript]") {
  CHECK(
      script(document(
          R"({"emitter": "e"}, {"on": "e", "event": "x", "do": "f"}, {"once": "e", "event": "it's", "do": [{"log": "{value}"}]},
                           {"emit": "e", "event": "x", "with": [1, 2]}, {"off": "e", "event": "x", "do": "f"},
                           {"on": "process", "event": "exit", "do": [{"log": "{code}"}]}, {"exitCode": 3}, {"exit": null})",
          R"(, "functions": {"f": []})")) == R"('use strict';

const EventEmitter = require('events');

let e;

function f() {
}

e = new EventEmitter();
e.on('x', f);
e.once('it\'s', value => console.log(`${value}`));
e.emit('x', 1, 2);
e.removeListener('x', f);
process.on('exit', code => console.log(`${code}`));
process.exitCode = 3;
process.exit();
)");
}

TEST_CASE("an ES module imports", "[javascript]") {
  const std::string text =
      script(document(R"({"emitter": "e"}, {"await": null})", R"(, "runtime": {"entry": "module"})"));
  CHECK(text ==
        "// An ES module: save it as .mjs.\n\nimport EventEmitter from 'events';\n\nlet e;\n\ne = new "
        "EventEmitter();\nawait null;\n");
}

TEST_CASE("an instrumented script tells of every callback", "[javascript]") {
  const std::string text = script(
      "{\"main\": [\n{\"setTimeout\": 1, \"do\": [{\"log\": \"a\"}]},\n{\"nextTick\": \"f\", \"as\": "
      "\"tick\"},\n{\"on\": \"process\", \"event\": \"exit\", \"do\": \"f\"},\n"
      "{\"promise\": \"p\", \"do\": []}],\n\"functions\": {\"f\": {\"parameters\": [\"a\", \"b\"], \"do\": []}}}",
      true);
  CHECK(contains(text, "'use strict';\n\nif (process.env.LOOPSIM_VCLOCK) process.chdir('vclock:start');\n"));
  CHECK(contains(text, "\ntrace('main');\nsetTimeout(() => {\n  trace('setTimeout@2');\n  output('a');\n}, 1);\n"));
  CHECK(contains(text, "process.nextTick((a, b) => { trace('tick'); return f(a, b); });"));
  CHECK(contains(text, "listen(process, 'on', 'exit', f, 'f');"));
  CHECK_FALSE(contains(text, "trace('promise@5');"));  // an executor belongs to the callback that makes the promise
  CHECK_FALSE(contains(text, "console.log("));
}

TEST_CASE("an instrumented script tells when an async function goes on", "[javascript]") {
  const std::string text = script(
      "{\"main\": [\n{\"async\": [{\"await\": null, \"as\": \"x\"}, {\"log\": \"{x}\"},\n{\"await\": {\"fs\": "
      "\"read\", "
      "\"error\": \"EIO\"}}], \"as\": \"a\"}]}",
      true);
  CHECK(contains(text, R"((async () => {
  {
    const awaited = null;
    try {
      x = await awaited;
    } finally {
      trace('a', 'await');
    }
  }
  output(`${x}`);
  {
    const awaited = new Promise((resolve, reject) => work('fs.read', 0, error => { trace('fs@3'); reject(error); }, 'EIO'));
    try {
      await awaited;
    } finally {
      trace('a', 'await');
    }
  }
})();
)"));
}

TEST_CASE("an instrumented script tells of what stands behind a promise", "[javascript]") {
  const std::string text = script(
      "{\"main\": [\n{\"then\": {\"setTimeout\": 5}, \"do\": []},\n{\"then\": {\"setImmediate\": null, \"with\": [1]}, "
      "\"do\": []},\n{\"then\": {\"fs\": \"read\"}, \"do\": []}]}",
      true);
  CHECK(contains(text, "new Promise(resolve => setTimeout(value => { trace('setTimeout@2'); resolve(value); }, 5))"));
  CHECK(
      contains(text, "new Promise(resolve => setImmediate(value => { trace('setImmediate@3'); resolve(value); }, 1))"));
  CHECK(contains(text, "new Promise(resolve => work('fs.read', 0, () => { trace('fs@4'); resolve(); }))"));
}

TEST_CASE("random durations carry their stream", "[javascript]") {
  const std::string text = script(document(
      R"({"cpu": {"uniform": [1, "2.5ms"]}}, {"setTimeout": {"choice": [1, 2]}, "do": []}, {"spin": {"lognormal": [3, 0.5]}})",
      R"(, "seed": 4294967298)"));
  CHECK(contains(text, "cpu(draw(0, 'uniform', 1, 2.5));"));
  CHECK(contains(text, "setTimeout(() => {}, draw(1, 'choice', [1, 2]));"));
  CHECK(contains(text, "spin(draw(2, 'lognormal', 3, 0.5));"));
  CHECK(contains(text, "let a = 2, b = 1, c = index, counter = 1;"));
}

TEST_CASE("a condition that is a param's value", "[javascript]") {
  const std::string text = document(R"({"if": "$on", "then": [{"log": 1}]})", R"(, "params": {"on": true})");
  CHECK(contains(script(text), "if (true) {"));
  ReadOptions off;
  off.overrides.emplace_back("on", "0");
  CHECK(contains(script(text, false, off), "if (false) {"));
}

// ---- the lines of the script for each step --------------------------------------------------------------------------

namespace {

MappedScript mapped(std::string text) {
  const ReadResult result = read(std::move(text));
  for (const Diagnostic& diagnostic : result.diagnostics) UNSCOPED_INFO(to_string(diagnostic));
  REQUIRE(result.scenario.has_value());
  MappedScript script = to_mapped_javascript(*result.scenario);
  CHECK(script.text == to_javascript(*result.scenario));
  return script;
}

// "log 2:3-2:18 -> 5": verb or label, place in the document, lines in the script.
std::string told(const ScriptPart& part) {
  std::string text = (part.kind == ScriptPart::Kind::body ? "body " : "") + part.name + " " +
                     std::to_string(part.line) + ":" + std::to_string(part.column) + "-" +
                     std::to_string(part.end_line) + ":" + std::to_string(part.end_column) + " -> " +
                     std::to_string(part.first);
  if (part.last != part.first) text += "-" + std::to_string(part.last);
  return text;
}

std::vector<std::string> told(const MappedScript& script) {
  std::vector<std::string> all;
  for (const ScriptPart& part : script.parts) all.push_back(told(part));
  return all;
}

}  // namespace

TEST_CASE("Steps and bodies know their lines of the script", "[javascript]") {
  const std::string text =
      "{ \"main\": [\n"                                                            // 1
      "  { \"log\": \"a\" },\n"                                                    // 2
      "  { \"setTimeout\": 5, \"as\": \"t\", \"do\": [ { \"log\": \"b\" } ] },\n"  // 3
      "  { \"setImmediate\": [\n"                                                  // 4
      "    { \"cpu\": \"1ms\" }, { \"log\": \"c\" } ] },\n"                        // 5
      "  { \"then\": null, \"as\": \"p\", \"do\": \"f\" },\n"                      // 6
      "  { \"then\": \"p\", \"do\": [ { \"log\": \"d\" } ] } ],\n"                 // 7
      "  \"functions\": { \"f\": [ { \"log\": \"e\" } ] } }";                      // 8
  const MappedScript script = mapped(text);
  std::vector<std::string> lines = {""};  // numbered from 1
  for (std::size_t at = 0, end = 0; (end = script.text.find('\n', at)) != std::string::npos; at = end + 1)
    lines.push_back(script.text.substr(at, end - at));
  const auto line_of = [&lines](std::string_view what) {
    for (std::size_t i = 1; i < lines.size(); ++i) {
      if (lines[i] == what) return std::to_string(i);
    }
    return "no line " + std::string(what);
  };
  const std::string f = line_of("function f() {");
  const std::string main = line_of("console.log('a');");
  const std::string immediate = line_of("setImmediate(() => {");
  const auto after = [](const std::string& line, int by) { return std::to_string(std::stoi(line) + by); };
  CHECK(told(script) == std::vector<std::string>{
                            "log 8:25-8:39 -> " + after(f, 1),
                            "body f 8:23-8:41 -> " + f + "-" + after(f, 2),
                            "log 2:3-2:17 -> " + main,
                            "log 3:41-3:55 -> " + after(main, 1),
                            "body t 3:39-3:57 -> " + after(main, 1),
                            "setTimeout 3:3-3:59 -> " + after(main, 1),
                            "cpu 5:5-5:21 -> " + after(immediate, 1),
                            "log 5:23-5:37 -> " + after(immediate, 2),
                            "body setImmediate@4 4:21-5:39 -> " + immediate + "-" + after(immediate, 3),
                            "setImmediate 4:3-5:41 -> " + immediate + "-" + after(immediate, 3),
                            "then 6:3-6:41 -> " + after(immediate, 4),
                            "log 7:26-7:40 -> " + after(immediate, 5),
                            "body then@7 7:24-7:42 -> " + after(immediate, 5),
                            "then 7:3-7:44 -> " + after(immediate, 5),
                            "body main 1:11-7:46 -> " + main + "-" + after(immediate, 5),
                            "body p 8:23-8:41 -> " + f + "-" + after(f, 2),
                        });
}

TEST_CASE("The mapped script is the script, for every scenario of Node", "[javascript]") {
  for (const std::filesystem::path& path : testing::scenario_files()) {
    const std::string folder = path.parent_path().filename();
    if (folder == "libuv" || folder == "io") continue;  // they stand for programs in C, or for none
    INFO(path.string());
    const MappedScript script = mapped(testing::read_file(path));
    CHECK(std::ranges::none_of(script.text, [](char c) { return c >= '\x01' && c <= '\x03'; }));
    CHECK(std::ranges::any_of(script.parts, [](const ScriptPart& part) { return part.name == "main"; }));
  }
}

TEST_CASE("a connection gives texts only where somebody hears them", "[javascript]") {
  const std::string_view server = R"({"listen": 8080, "as": "s", "on": {"connection": [{"close": "s"}]}})";
  const std::string quiet = steps(std::string(server) + R"(, {"connect": 8080, "as": "c"})");
  CHECK_FALSE(contains(quiet, "setEncoding"));
  const std::string heard = steps(std::string(server) + R"(, {"connect": 8080, "as": "c", "on": {"data": []}})");
  CHECK(contains(heard, "createServer(socket => socket.setEncoding('utf8'))"));
  CHECK(contains(heard, "connect(8080, '127.0.0.1').setEncoding('utf8')"));
  CHECK(heard.find("setEncoding", heard.find("setEncoding", heard.find("setEncoding") + 1) + 1) == std::string::npos);
}

TEST_CASE("a child process needs its module", "[javascript]") {
  CHECK(contains(steps(R"({"spawn": "ls", "takes": "3ms", "as": "child"})"), "require('child_process')"));
}
