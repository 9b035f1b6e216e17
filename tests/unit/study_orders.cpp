// Verdicts on programs with known orders, and thresholds that can be derived by hand.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/orders.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/study.hpp"
#include "loopsim/writers.hpp"

namespace loopsim {
namespace {

struct Loaded {
  Scenario scenario;
  std::shared_ptr<const Program> program;
};

Loaded load(const std::string& text, const ReadOptions& options = {}) {
  ReadResult read = read_scenario(text, "test.json", options);
  std::string problems;
  for (const Diagnostic& diagnostic : read.diagnostics) problems += to_string(diagnostic);
  INFO(problems);
  REQUIRE(read.scenario.has_value());
  CompileResult compiled = compile(*read.scenario);
  REQUIRE(compiled.program != nullptr);
  return {*std::move(read.scenario), compiled.program};
}

OrdersResult orders_of(const std::string& text, const OrdersOptions& options = {}, const ReadOptions& read = {}) {
  const Loaded loaded = load(text, read);
  return study_orders(loaded.scenario, *loaded.program, options);
}

// "a b guaranteed": the verdict on two callbacks, given in either order.
std::string verdict(const OrdersResult& result, const std::string& a, const std::string& b) {
  for (const PairOrder& pair : result.pairs) {
    if (pair.first.round != 1) continue;
    if ((pair.first.name == a && pair.second.name == b) || (pair.first.name == b && pair.second.name == a)) {
      return pair.first.name + " " + pair.second.name + " " + std::string(to_string(pair.verdict));
    }
  }
  return "no such pair";
}

std::string reason(const OrdersResult& result, const std::string& a, const std::string& b) {
  for (const PairOrder& pair : result.pairs) {
    if (pair.first.name == a && pair.second.name == b && pair.first.round == 1) return pair.reason;
  }
  return "no such pair";
}

std::vector<std::string> output_with_seed(const std::string& text, std::uint64_t seed) {
  ReadOptions options;
  options.seed = seed;
  const Loaded loaded = load(text, options);
  const auto recorder = make_recorder();
  TraceSink* const sinks[] = {recorder.get()};
  run(*loaded.program, sinks);
  return recorder->recording().output;
}

const std::string kTimeoutOrImmediate = R"({
  "params": {"startup": {"uniform": ["0ms", "2ms"]}, "clock": "0ms"},
  "machine": {"startup": "$startup", "clock": "$clock"},
  "main": [
    {"setTimeout": 0, "as": "timeout", "do": [{"log": "timeout"}]},
    {"setImmediate": [{"log": "immediate"}], "as": "immediate"}
  ]
})";

// A request of random duration. Without it, a program would be deterministic and studied with a single run.
const std::string kSomeNoise = R"({"fs": "stat", "takes": {"exponential": "3ms"}, "as": "noise", "do": []})";

std::string with_noise(const std::string& steps, const std::string& more = "") {
  return "{" + more + " \"main\": [" + steps + ", " + kSomeNoise + "]}";
}

}  // namespace

// ---- orders -----------------------------------------------------------------------------------------------------------------------

TEST_CASE("a race under a random start-up: both orders, their shares, and seeds that show them", "[orders]") {
  const OrdersResult result = orders_of(kTimeoutOrImmediate);
  CHECK(result.is_random);
  CHECK(result.of == OrderOf::output);
  CHECK(result.runs == 1000);
  REQUIRE(result.orders.size() == 2);
  CHECK(result.orders[0].share.count + result.orders[1].share.count == 1000);
  CHECK(result.orders[0].share.count >= result.orders[1].share.count);
  for (const ObservedOrder& order : result.orders) {
    // The timer is first if the start-up takes 1 ms or more: half of the runs. The margin is five standard deviations.
    CHECK(order.share.share == Approx(0.5).margin(0.08));
    CHECK(order.share.low < order.share.share);
    CHECK(order.share.share < order.share.high);
    CHECK(output_with_seed(kTimeoutOrImmediate, order.witness.seed) == order.lines);
  }
  REQUIRE(result.pairs.size() == 1);
  CHECK(result.pairs[0].verdict == PairVerdict::race);
  CHECK(result.pairs[0].both == 1000);
  CHECK(result.pairs[0].in_order.count == result.orders[0].share.count);
  CHECK(result.pairs[0].turned_witness.seed == result.orders[1].witness.seed);
}

TEST_CASE("replication 0 is the run that loopsim run shows", "[orders]") {
  ReadOptions options;
  options.seed = 77;
  const OrdersResult result = orders_of(kTimeoutOrImmediate, {}, options);
  CHECK(result.seed == 77);
  const auto first =
      std::ranges::find(result.orders, 0U, [](const ObservedOrder& order) { return order.witness.replication; });
  REQUIRE(first != result.orders.end());
  CHECK(first->witness.seed == 77);
}

TEST_CASE("the same result for any number of threads", "[orders]") {
  const std::string text = with_noise(R"(
    {"fs": "stat", "takes": {"exponential": "3ms"}, "as": "a", "do": [{"log": "a"}, {"nextTick": [{"log": "t"}], "as": "t"}]},
    {"fs": "stat", "takes": {"exponential": "3ms"}, "as": "b", "do": [{"log": "b"}]},
    {"setTimeout": 2, "as": "c", "do": [{"log": "c"}]})");
  std::vector<OrdersResult> results;
  for (const unsigned jobs : {1U, 2U, 5U}) {
    OrdersOptions options;
    options.runs = 5000;  // more than one batch
    options.jobs = jobs;
    results.push_back(orders_of(text, options));
  }
  for (const OrdersResult& other : results) {
    REQUIRE(other.orders.size() == results[0].orders.size());
    for (std::size_t i = 0; i < other.orders.size(); ++i) {
      CHECK(other.orders[i].lines == results[0].orders[i].lines);
      CHECK(other.orders[i].share.count == results[0].orders[i].share.count);
      CHECK(other.orders[i].witness.replication == results[0].orders[i].witness.replication);
    }
    REQUIRE(other.pairs.size() == results[0].pairs.size());
    for (std::size_t i = 0; i < other.pairs.size(); ++i) {
      CHECK(other.pairs[i].first == results[0].pairs[i].first);
      CHECK(other.pairs[i].verdict == results[0].pairs[i].verdict);
      CHECK(other.pairs[i].reason == results[0].pairs[i].reason);
      CHECK(other.pairs[i].turned_witness.seed == results[0].pairs[i].turned_witness.seed);
    }
  }
}

TEST_CASE("a program that draws nothing runs once", "[orders]") {
  const OrdersResult result =
      orders_of(R"({"main": [{"setTimeout": 0, "as": "t", "do": []}, {"setImmediate": [], "as": "i"}]})");
  CHECK_FALSE(result.is_random);
  CHECK(result.runs == 1);
  CHECK(result.of == OrderOf::callbacks);
  REQUIRE(result.orders.size() == 1);
  CHECK(result.orders[0].lines == std::vector<std::string>{"i", "t"});
  CHECK(verdict(result, "t", "i") == "i t always");
}

TEST_CASE("a machine that is random makes a program random", "[orders]") {
  CHECK(orders_of(R"({"machine": "laptop", "main": [{"setTimeout": 0, "as": "t", "do": []}]})").is_random);
  CHECK(orders_of(R"({"machine": {"load": {"busy": {"exponential": "1ms"}, "idle": "2ms"}}, "main": []})").is_random);
  CHECK_FALSE(
      orders_of(R"({"machine": {"startup": "1ms"}, "main": [{"cpu": {"sequence": ["1ms", "2ms"]}}]})").is_random);
}

TEST_CASE("runs that end at a limit are a class of their own", "[orders]") {
  const OrdersResult result = orders_of(R"({
    "limits": {"time": "5ms"},
    "main": [{"setTimeout": {"uniform": ["1ms", "10ms"]}, "as": "t", "do": [{"log": "done"}]}]
  })");
  REQUIRE(result.orders.size() == 2);
  const auto limited = std::ranges::find(result.orders, LimitKind::time, &ObservedOrder::limit);
  REQUIRE(limited != result.orders.end());
  CHECK(limited->lines.empty());
  CHECK(limited->share.share == Approx(0.5).margin(0.15));
}

TEST_CASE("an order with more lines than are kept is told from another", "[orders]") {
  const OrdersResult result = orders_of(R"({"main": [
    {"repeat": 1200, "do": [{"log": "the same"}]},
    {"fs": "stat", "takes": {"uniform": ["1ms", "9ms"]}, "as": "a", "do": [{"log": "a"}]},
    {"fs": "stat", "takes": {"uniform": ["1ms", "9ms"]}, "as": "b", "do": [{"log": "b"}]}]})");
  REQUIRE(result.orders.size() == 2);
  CHECK(result.orders[0].is_cut);
  CHECK(result.orders[0].lines.size() == kMostOrderLines);
}

// ---- verdicts ---------------------------------------------------------------------------------------------------------------------

TEST_CASE("guaranteed: inside an I/O callback the immediate is before any timer", "[orders]") {
  const std::string inside = R"({"fs": "access", "takes": {"uniform": ["1ms", "20ms"]}, "as": "file", "do": [
      {"setTimeout": 0, "as": "timeout", "do": [{"log": "timeout"}]},
      {"setImmediate": [{"log": "immediate"}], "as": "immediate"},
      {"cpu": {"exponential": "2ms"}}]})";
  for (const char* const runtime : {"node-4", "node-10", "node-11", "node-20", "node-26"}) {
    ReadOptions read;
    read.runtime = runtime;
    const OrdersResult result = orders_of("{\"machine\": \"laptop\", \"main\": [" + inside + "]}", {}, read);
    INFO(runtime);
    CHECK(verdict(result, "timeout", "immediate") == "immediate timeout guaranteed");
    CHECK(reason(result, "immediate", "timeout") ==
          "asked for in an I/O callback: after poll comes check, where immediates run; timers come later");
    CHECK(reason(result, "file", "timeout") == "file asks for timeout");
  }
}

TEST_CASE("guaranteed: ticks before microtasks, and the other way round in an ES module", "[orders]") {
  const std::string steps = R"({"then": null, "as": "micro", "do": []}, {"nextTick": [], "as": "tick"},
    {"queueMicrotask": [], "as": "micro2"})";
  const OrdersResult script = orders_of(with_noise(steps));
  CHECK(verdict(script, "micro", "tick") == "tick micro guaranteed");
  CHECK(reason(script, "tick", "micro") == "after each callback first all ticks run, then all microtasks");
  CHECK(verdict(script, "micro2", "micro") == "micro micro2 guaranteed");
  CHECK(reason(script, "tick", "noise") == "ticks, microtasks and synchronous calls run before the loop continues");
  const OrdersResult module = orders_of(with_noise(steps, R"("runtime": {"entry": "module"},)"));
  CHECK(verdict(module, "micro", "tick") == "micro tick guaranteed");
  CHECK(reason(module, "micro", "tick") ==
        "within a microtask (as the body of an ES module is) microtasks come before ticks");
}

TEST_CASE("guaranteed: chains of then, wherever they are settled", "[orders]") {
  const OrdersResult result = orders_of(R"({"main": [
    {"fs": "stat", "takes": {"exponential": "3ms"}, "as": "file", "do": [{"log": "x"}]},
    {"then": {"fs": "readFile", "takes": {"exponential": "3ms"}, "as": "read"}, "as": "a1", "do": []},
    {"then": "a1", "as": "a2", "do": []},
    {"then": "a2", "as": "a3", "do": []},
    {"then": {"setTimeout": 4, "as": "wait"}, "as": "b1", "do": []},
    {"then": "b1", "as": "b2", "do": [], "catch": []}
  ]})");
  CHECK(verdict(result, "a1", "a2") == "a1 a2 guaranteed");
  CHECK(reason(result, "a1", "a2") == "a2 waits for the promise that a1 settles");
  CHECK(reason(result, "a1", "a3") == "one leads to the other: a1 \u2192 a2 \u2192 a3");
  CHECK(verdict(result, "read", "a3") == "read a3 guaranteed");
  CHECK(verdict(result, "wait", "b1") == "wait b1 guaranteed");
  CHECK(verdict(result, "a1", "b1").ends_with("race"));
  CHECK(verdict(result, "a3", "b1").ends_with("race"));
}

TEST_CASE("guaranteed: an async function goes on behind what it awaits", "[orders]") {
  const OrdersResult result = orders_of(R"({
    "functions": {"work": [
      {"await": {"fs": "stat", "takes": {"exponential": "3ms"}, "as": "read"}}, {"setImmediate": [], "as": "after"}]},
    "main": [{"async": "work"}, {"setTimeout": 3, "as": "timer", "do": []}]})");
  CHECK(verdict(result, "read", "after") == "read after guaranteed");
  CHECK(verdict(result, "timer", "after").ends_with("race"));
}

TEST_CASE("guaranteed: queues that are served in order", "[orders]") {
  const OrdersResult result = orders_of(with_noise(R"(
    {"setTimeout": 5, "as": "t1", "do": []},
    {"cpu": {"exponential": "2ms"}},
    {"setTimeout": 5, "as": "t2", "do": [{"nextTick": [], "as": "later"}]},
    {"setImmediate": [], "as": "i1"},
    {"setImmediate": [], "as": "i2"},
    {"setTimeout": 9, "as": "longer", "do": []})"));
  CHECK(reason(result, "t1", "t2") == "timers of one length stand in one list, in the order in which they were set");
  CHECK(reason(result, "i1", "i2") == "immediates run in the order in which they were asked for");
  CHECK(reason(result, "t1", "longer") == "the shorter timer was set first, so its list is due first");
  CHECK(reason(result, "t1", "later") ==
        "timers of one length stand in one list, in the order in which they were set; then t2 \u2192 later");
  CHECK(verdict(result, "i1", "t1") == "i1 t1 race");  // the main script may take longer than the timer
}

TEST_CASE("not guaranteed: what only happened to be so", "[orders]") {
  // The shorter timer is nearly always first, but its duration is random.
  const OrdersResult drawn = orders_of(R"({"main": [
    {"setTimeout": {"exponential": "1ms"}, "as": "short", "do": []},
    {"setTimeout": 100, "as": "long", "do": []}]})");
  CHECK(verdict(drawn, "short", "long") == "short long always");
  CHECK(drawn.pairs[0].turned_bound == Approx(3.0 / 1000).margin(0.0001));
  // Two pool requests, far apart.
  const OrdersResult pool = orders_of(R"({"main": [
    {"fs": "stat", "takes": {"uniform": ["1ms", "2ms"]}, "as": "near", "do": []},
    {"fs": "stat", "takes": {"uniform": ["50ms", "60ms"]}, "as": "far", "do": []}]})");
  CHECK(verdict(pool, "near", "far") == "near far always");
  // The longer timer is set first: if both are late, they run list by list.
  const OrdersResult lists = orders_of(with_noise(R"(
    {"setTimeout": 9, "as": "longer", "do": []}, {"setTimeout": 5, "as": "shorter", "do": []})"));
  CHECK(verdict(lists, "shorter", "longer") == "shorter longer always");
  // A timer and an immediate from the main script.
  const OrdersResult main = orders_of(with_noise(R"(
    {"setTimeout": 0, "as": "timeout", "do": []}, {"setImmediate": [], "as": "immediate"})"));
  CHECK(verdict(main, "timeout", "immediate") == "immediate timeout always");
}

TEST_CASE("not guaranteed: what could come from another place in another run", "[orders]") {
  const std::string listener = R"({"emitter": "e"}, {"on": "e", "event": "x", "as": "heard", "do": []},
    {"setImmediate": [{"emit": "e", "event": "x"}], "as": "soon"},)";
  const OrdersResult once = orders_of("{\"main\": [" + listener + R"(
    {"fs": "stat", "takes": {"uniform": ["50ms", "60ms"]}, "as": "file", "do": []}]})");
  CHECK(verdict(once, "soon", "heard") == "soon heard guaranteed");
  CHECK(reason(once, "soon", "heard") == "heard runs inside soon");
  const OrdersResult twice = orders_of("{\"main\": [" + listener + R"(
    {"fs": "stat", "takes": {"uniform": ["50ms", "60ms"]}, "as": "file", "do": [{"emit": "e", "event": "x"}]}]})");
  CHECK(verdict(twice, "soon", "heard") == "soon heard always");

  // A function that two steps use as their callback.
  const OrdersResult shared = orders_of(R"({"functions": {"shared": [{"nextTick": [], "as": "tick"}]}, "main": [
    {"setImmediate": "shared", "as": "soon"},
    {"fs": "stat", "takes": {"uniform": ["50ms", "60ms"]}, "as": "file", "do": "shared"}]})");
  CHECK(verdict(shared, "soon", "tick") == "soon tick always");
}

TEST_CASE("verdicts on a program in JavaScript", "[orders]") {
  const ReadResult any = read_scenario(R"({ "script": [""] })", "test.json", {});
  if (any.scenario && compile(*any.scenario).program == nullptr) return;  // this build runs no JavaScript
  const auto judge = [](const std::string& lines) {
    OrdersOptions options;
    options.runs = 60;
    return orders_of(R"({ "machine": "laptop", "script": [)" + lines + "] }", options);
  };
  const OrdersResult io = judge(R"("const fs = require('fs');",
    "fs.stat('/', function stat() {",
    "  setTimeout(function later() {}, 0);",
    "  setImmediate(function soon() {});",
    "});",
    "process.nextTick(function tick() {});",
    "setTimeout(() => {}, 10);",
    "setTimeout(() => {}, 10);")");
  CHECK(io.of == OrderOf::callbacks);
  CHECK(verdict(io, "later", "soon") == "soon later guaranteed");
  CHECK(reason(io, "soon", "later") ==
        "asked for in an I/O callback: after poll comes check, where immediates run; timers come later");
  CHECK(verdict(io, "stat", "tick") == "tick stat guaranteed");
  CHECK(reason(io, "stat", "soon") == "stat asks for soon");
  CHECK(reason(io, "setTimeout@7:1", "setTimeout@8:1") ==
        "timers of one length stand in one list, in the order in which they were set");

  // Which of the two asks for `next` is a matter of time.
  const OrdersResult race = judge(R"("const fs = require('fs');",
    "let called = false;",
    "function done() { if (!called) { called = true; setImmediate(function next() {}); } }",
    "fs.stat('/', function first() { done(); });",
    "fs.access('/', function second() { done(); });")");
  CHECK(verdict(race, "first", "second").ends_with("race"));
  CHECK_FALSE(verdict(race, "first", "next").ends_with("guaranteed"));
  CHECK_FALSE(verdict(race, "second", "next").ends_with("guaranteed"));

  OrdersOptions pair;
  pair.pairs = {{{"later", 1}, {"soon", 1}}};
  const Loaded loaded =
      load(R"({ "script": ["setTimeout(function later() {}, 1); setImmediate(function soon() {});"] })");
  CHECK(judged_callbacks(loaded.scenario, *loaded.program).size() == 2);
  CHECK(study_orders(loaded.scenario, *loaded.program, pair).pairs.size() == 1);
}

TEST_CASE("what the HTML standard leaves open of a page's order is a race, and what it orders is guaranteed",
          "[orders]") {
  const auto judge = [](const std::string& lines, const std::string& more = R"("machine": {"tasks": "drawn"})") {
    OrdersOptions options;
    options.runs = 300;
    return orders_of(R"({ "runtime": "chrome", )" + more + R"(, "script": [)" + lines + "] }", options);
  };
  const std::string script = R"("const { port1, port2 } = new MessageChannel();",
    "port2.onmessage = function message() {};",
    "setTimeout(function timer() { queueMicrotask(function micro() {}); }, 0);",
    "setTimeout(function later() {}, 5);",
    "setTimeout(function shorter() {}, 1);",
    "port1.postMessage(0);",
    "requestAnimationFrame(function frame() {});",
    "requestIdleCallback(function idle() {});",
    "scheduler.postTask(function task() {});",
    "scheduler.postTask(function second() {});",
    "scheduler.postTask(function urgent() {}, { priority: 'user-blocking' });",
    "const controller = new TaskController({ priority: 'background' });",
    "scheduler.postTask(function changing() {}, { signal: controller.signal });")";
  const OrdersResult open = judge(script);
  for (const auto& [a, b, why] : std::vector<std::array<std::string, 3>>{
           {"timer", "message", "between task sources the HTML standard has no order"},
           {"timer", "task", "between task sources the HTML standard has no order"},
           {"later", "frame", "up to the browser and the machine"},
           {"idle", "frame", "up to the browser and the machine"},
           {"later", "idle", "a browser finds out for itself"}}) {
    INFO(a << " " << b << ": " << verdict(open, a, b));
    CHECK(verdict(open, a, b).ends_with("race"));
    CHECK((reason(open, a, b) + reason(open, b, a)).find(why) != std::string::npos);
  }
  CHECK(verdict(open, "task", "second") == "task second guaranteed");
  CHECK(reason(open, "task", "second") == "tasks of one priority run in the order in which they were posted");
  CHECK(verdict(open, "task", "urgent") == "urgent task guaranteed");
  CHECK(reason(open, "urgent", "task") ==
        "of the tasks that are ready, the scheduler's one with the higher priority comes first");
  CHECK(verdict(open, "urgent", "changing") == "urgent changing always");  // its priority might change
  CHECK(verdict(open, "timer", "later") == "timer later guaranteed");
  CHECK(reason(open, "timer", "later") == "a timer that was set first, and is not longer, comes first");
  CHECK(verdict(open, "micro", "later") == "micro later guaranteed");
  CHECK(reason(open, "micro", "later") ==
        "a timer that was set first, and is not longer, comes first; microtasks of timer run before the next task");
  CHECK(verdict(open, "later", "shorter") == "shorter later always");

  const std::string ports = R"("const [a, b] = [new MessageChannel(), new MessageChannel()];",
    "a.port2.onmessage = function first() {};",
    "b.port2.onmessage = function other() {};",
    "a.port1.postMessage(1); a.port1.postMessage(2); b.port1.postMessage(3);")";
  const OrdersResult channels = judge(ports);
  CHECK(verdict(channels, "first", "other").ends_with("race"));
  CHECK((reason(channels, "first", "other") + reason(channels, "other", "first")).starts_with("messages of two ports"));

  const OrdersResult requests =
      judge(R"("fetch('data:,1').then(function one() {});", "fetch('data:,2').then(function two() {});")");
  CHECK(verdict(requests, "one", "two").ends_with("race"));

  // By time nothing is open, and one run is like another.
  CHECK_FALSE(judge(script, R"("machine": "ideal")").is_random);
  CHECK_FALSE(judge(script, R"("machine": {"tasks": "by-time"})").is_random);
}

TEST_CASE("callbacks that never run together, and chosen rounds", "[orders]") {
  const OrdersResult apart = orders_of(R"({"main": [
    {"fs": "stat", "takes": {"uniform": ["1ms", "9ms"]}, "as": "file", "do": [{"clear": "timer"}]},
    {"setTimeout": 5, "as": "timer", "do": [{"exit": 0}]}]})");
  CHECK(verdict(apart, "file", "timer").ends_with("apart"));
  const PairOrder& pair = apart.pairs[0];
  CHECK(pair.both == 0);
  CHECK(pair.only_first + pair.only_second == 1000);

  // Guaranteed pairs are listed before those that never run together, regardless of the requested order.
  OrdersOptions two;
  two.pairs = {{{"file", 1}, {"timer", 1}}, {{"i1", 1}, {"i2", 1}}};
  const OrdersResult sorted = orders_of(R"({"main": [
    {"fs": "stat", "takes": {"uniform": ["1ms", "9ms"]}, "as": "file", "do": [{"clear": "timer"}]},
    {"setImmediate": [], "as": "i1"}, {"setImmediate": [], "as": "i2"},
    {"setTimeout": 5, "as": "timer", "do": [{"exit": 0}]}]})",
                                        two);
  REQUIRE(sorted.pairs.size() == 2);
  CHECK(sorted.pairs[0].verdict == PairVerdict::guaranteed);
  CHECK(sorted.pairs[1].verdict == PairVerdict::apart);

  OrdersOptions options;
  options.pairs = {{{"tick", 3}, {"file", 1}}};
  const OrdersResult rounds = orders_of(R"({"main": [
    {"setInterval": 2, "as": "tick", "do": []},
    {"fs": "stat", "takes": {"uniform": ["1ms", "11ms"]}, "as": "file", "do": []},
    {"setTimeout": 50, "do": [{"clear": "tick"}]}]})",
                                        options);
  REQUIRE(rounds.pairs.size() == 1);
  CHECK(rounds.pairs[0].verdict == PairVerdict::race);
  CHECK(rounds.pairs[0].in_order.share == Approx(0.5).margin(0.1));
}

// ---- thresholds -------------------------------------------------------------------------------------------------------------------

namespace {

ThresholdRange range_of(const std::string& text) {
  ThresholdRangeResult parsed = parse_threshold_range(text);
  INFO(parsed.message);
  REQUIRE(parsed.range.has_value());
  return *std::move(parsed.range);
}

ThresholdResult threshold(const std::string& text, const std::string& range, const ReadOptions& options = {},
                          std::uint32_t points = 64) {
  ThresholdSpec spec;
  spec.text = text;
  spec.file = "test.json";
  spec.options = options;
  spec.range = range_of(range);
  spec.points = points;
  return study_threshold(spec);
}

std::vector<std::string> first_lines(const ThresholdResult& result) {
  std::vector<std::string> lines;
  for (const ThresholdSegment& segment : result.segments) lines.push_back(result.orders[segment.order].lines.front());
  return lines;
}

}  // namespace

TEST_CASE("a threshold is found to the nanosecond", "[orders]") {
  const ThresholdResult result = threshold(kTimeoutOrImmediate, "startup=0ms:5ms");
  REQUIRE(result.ok);
  CHECK_FALSE(result.is_random);
  REQUIRE(result.segments.size() == 2);
  CHECK(first_lines(result) == std::vector<std::string>{"immediate", "timeout"});
  CHECK(result.segments[0].from == 0);
  CHECK(result.segments[0].to == kMillisecond - 1);
  CHECK(result.segments[1].from == kMillisecond);
  CHECK(result.segments[1].to == 5 * kMillisecond);

  ReadOptions late;  // the process starts 0.6 ms into a millisecond
  late.overrides = {{"clock", "0.6ms"}};
  const ThresholdResult shifted = threshold(kTimeoutOrImmediate, "startup=0ms:5ms", late);
  REQUIRE(shifted.segments.size() == 2);
  CHECK(shifted.segments[1].from == 400 * kMicrosecond);
}

TEST_CASE("several turns, plain numbers, and places that are not params", "[orders]") {
  const std::string text = R"({"params": {"delay": 0}, "main": [
    {"setTimeout": "$delay", "as": "varied", "do": [{"log": "varied"}]},
    {"setTimeout": 4, "as": "four", "do": [{"log": "four"}]},
    {"setTimeout": 7, "as": "seven", "do": [{"log": "seven"}]}]})";
  const ThresholdResult numbers = threshold(text, "delay=0:10");
  REQUIRE(numbers.segments.size() == 3);  // at 4 `varied` is first, since it was set first; from 5 on `four` is
  CHECK(numbers.segments[1].from == 5);
  CHECK(numbers.segments[2].from == 8);
  CHECK(numbers.segments[2].to == 10);
  const ThresholdResult pointer = threshold(text, "/main/1/setTimeout=1:30");
  REQUIRE(pointer.segments.size() == 2);
  CHECK(pointer.segments[1].from == 8);
}

TEST_CASE("a thousand turns are found exactly; of more it is said that they are there", "[orders]") {
  const std::string text = R"({"params": {"n": 0}, "main": [{"log": "$n"}]})";  // a different output for each value
  struct Case {
    const char* range;
    std::uint32_t points;  // the number of values, or just the two ends
    bool is_cut;
  };
  for (const Case& one : {Case{"n=0:1000", 1001, false}, Case{"n=0:1001", 1002, true}, Case{"n=0:1001", 2, true}}) {
    INFO(one.range << ", " << one.points);
    const ThresholdResult result = threshold(text, one.range, {}, one.points);
    REQUIRE(result.ok);
    CHECK(result.is_cut == one.is_cut);
    REQUIRE(result.segments.size() == 1001);
    CHECK(result.segments.back().from == 1000);
    CHECK(result.segments.back().to == 1000);
    CHECK(first_lines(result).back() == "1000");
  }
}

TEST_CASE("the order of one pair only", "[orders]") {
  ThresholdSpec spec;
  spec.text = R"({"params": {"work": "0ms"}, "main": [
    {"setInterval": 2, "as": "tick", "do": [{"log": "{now}"}]},
    {"fs": "stat", "takes": "$work", "as": "file", "do": []},
    {"setTimeout": 50, "do": [{"clear": "tick"}]}]})";
  spec.file = "test.json";
  spec.range = range_of("work=0ms:20ms");
  spec.pair = {{"tick", 3}, {"file", 1}};
  const ThresholdResult result = study_threshold(spec);
  REQUIRE(result.ok);
  REQUIRE(result.segments.size() == 2);
  CHECK(result.orders[0].lines == std::vector<std::string>{"file", "tick#3"});
  CHECK(result.orders[1].lines == std::vector<std::string>{"tick#3", "file"});
  CHECK(result.segments[1].from >= 6 * kMillisecond);
  CHECK(result.segments[1].from <= 6 * kMillisecond + 1);
}

TEST_CASE("a value at which the document cannot be run is told", "[orders]") {
  const ThresholdResult result = threshold(kTimeoutOrImmediate, "clock=0ms:2ms");
  CHECK_FALSE(result.ok);
  CHECK_FALSE(result.value.empty());
  REQUIRE_FALSE(result.diagnostics.empty());
  CHECK(to_string(result.diagnostics[0]).find("must be below 1ms") != std::string::npos);
}

TEST_CASE("ranges of thresholds", "[orders]") {
  CHECK(range_of("x=0:10").text(7) == "7");
  CHECK(range_of("x=0:1.00").text(7) == "0.07");
  CHECK(range_of("x=-1.5:1").text(-3) == "-0.3");
  CHECK(range_of("x=0ms:1s").text(999'999) == "0.999999ms");
  CHECK(range_of("/a/b=0:1ms").to == kMillisecond);
  const auto message = [](const std::string& text) { return parse_threshold_range(text).message; };
  CHECK(message("x") == "a threshold takes NAME=FROM:TO, not \"x\"");
  CHECK(message("x=1ms") == "a threshold takes NAME=FROM:TO, not \"x=1ms\"");
  CHECK(message("x=5:1") == "x: 5 is not below 1");
  CHECK(message("x=1:5ms") == "x: 1 and 5ms are a number and a duration");
  CHECK(message("x=1ms:y") == "x: \"y\" is neither a number nor a duration");
}

}  // namespace loopsim
