// Small programs that random comparison found to differ from real Node. The expected values are those of the real binaries.
#include "tests/support/simulate.hpp"

using loopsim::testing::Lines;
using loopsim::testing::simulate;
using loopsim::testing::simulate_main;

TEST_CASE("what a function throws is not caught by a try that stands behind its call", "[exceptions]") {
  const auto run = simulate(R"({
    "functions": { "f": [ {"throw": "no"} ] },
    "main": [ {"on": "process", "event": "uncaughtException", "do": [ {"log": "{error.message}"} ]},
      {"call": "f"}, {"try": [ {"log": "never"} ], "finally": [ {"log": "never"} ]} ] })");
  CHECK(run.output == Lines{"no"});
}

TEST_CASE("a once listener runs once, also when emissions are nested", "[events]") {
  const auto run = simulate_main(R"(
    {"emitter": "e"}, {"set": {"n": 0}},
    {"on": "e", "event": "x", "do": [ {"if": ["n", "==", 0], "then": [ {"add": {"n": 1}}, {"emit": "e", "event": "x"} ]} ]},
    {"once": "e", "event": "x", "do": [ {"log": "once"} ]},
    {"emit": "e", "event": "x"})");
  CHECK(run.output == Lines{"once"});
}

TEST_CASE("a promise that is resolved with itself", "[promises]") {
  const std::string main = R"(
    {"on": "process", "event": "unhandledRejection", "do": [ {"log": "unhandled"} ]},
    {"promise": "p"}, {"resolve": "p", "with": "{p}"},
    {"setTimeout": 1, "do": [ {"then": "p", "catch": [ {"log": "{error}"} ]} ]})";
  // Node 4 lets it be: only who asks for its value is told.
  CHECK(simulate_main(main, "node-4").output == Lines{"TypeError: Chaining cycle detected for promise #<Promise>"});
  CHECK(simulate_main(main, "node-6").output ==
        Lines{"unhandled", "TypeError: Chaining cycle detected for promise #<Promise>"});
}

TEST_CASE("a promise that is fulfilled with a rejected one, and nobody reads it", "[promises]") {
  // Node 4 passes the inner promise on as it is, and it has a handler; later the outer one is rejected, too, and has none.
  const std::string main = R"(
    {"on": "process", "event": "unhandledRejection", "do": [ {"log": "unhandled {error.message}"} ]},
    {"promise": "p"}, {"promise": "inner"}, {"reject": "p", "error": "boom"}, {"then": "p", "rejected": [ {"log": "caught"} ]},
    {"resolve": "inner", "with": "{p}"}, {"then": null, "do": [ {"return": "{inner}"} ]})";
  CHECK(simulate_main(main, "node-4").output == Lines{"caught"});
  for (const char* runtime : {"node-6", "node-8", "node-12", "node-24"})
    CHECK(simulate_main(main, runtime).output == Lines{"caught", "unhandled boom"});
}

TEST_CASE("an interval that is unref'd in its own callback, Node 4", "[timers]") {
  const std::string main = R"(
    {"set": {"n": 0}}, {"setTimeout": 30, "do": [], "as": "end"},
    {"setInterval": 5, "as": "i", "do": [ {"add": {"n": 1}}, {"unref": "i"}, {"if": ["n", ">=", 3], "then": [ {"clear": "i"} ]} ]})";
  CHECK(simulate_main(main, "node-4").callbacks == Lines{"i@5", "end@30"});
  CHECK(simulate_main(main, "node-6").callbacks == Lines{"i@5", "i@10", "i@15", "end@30"});
}

TEST_CASE("refresh of a timer with a handle of its own counts from the cached time, Node 10", "[timers]") {
  CHECK(
      simulate_main(
          R"({"setTimeout": 6, "do": [], "as": "t"}, {"unref": "t"}, {"cpu": "1.5ms"}, {"ref": "t"}, {"refresh": "t"})",
          "node-10")
          .callbacks == Lines{"t@6.5"});
}

TEST_CASE("a fraction of a delay is waited for busily before Node 11, and the pool goes on meanwhile", "[timers]") {
  const std::string main = R"(
    {"fs": "read", "takes": "2.5ms", "do": [], "as": "read"},
    {"setTimeout": 2.9, "as": "t", "do": [ {"fs": "read", "takes": "1ms", "do": [], "as": "next"} ]})";
  for (const char* runtime : {"node-4", "node-6", "node-8", "node-10"}) {
    INFO(runtime);
    CHECK(simulate_main(main, runtime, R"("runtime": {"profile": "node-10", "threadpool": 1})").callbacks ==
          Lines{"t@3", "read@3", "next@4"});
  }
  CHECK(simulate_main(main, "node-11").callbacks == Lines{"t@2", "read@2.5", "next@3"});
}

TEST_CASE("an exit listener that throws", "[exit]") {
  const std::string listener = R"({"on": "process", "event": "exit", "do": [ {"throw": "no"} ]})";
  CHECK(simulate_main(R"({"exitCode": 3}, )" + listener, "node-8").summary.exit_code == 1);
  CHECK(simulate_main(R"({"exitCode": 3}, )" + listener, "node-10").summary.exit_code == 3);
  CHECK(simulate_main(R"({"exitCode": 0}, )" + listener, "node-26").summary.exit_code == 0);
  CHECK(simulate_main(listener + R"(, {"exit": 5})", "node-24").summary.exit_code == 5);
  // process.exit() throws what the listener threw, and the program goes on.
  CHECK(
      simulate_main(listener + R"(, {"try": [ {"exit": 5} ], "catch": [ {"log": "{error.message}"} ]}, {"log": "on"})")
          .output == Lines{"no", "on"});
  // Nothing is drained after it.
  const auto run = simulate_main(R"({"on": "process", "event": "uncaughtException", "do": []},
    {"on": "process", "event": "exit", "do": [ {"then": null, "do": [ {"log": "never"} ]}, {"throw": "no"} ]})");
  CHECK(run.output.empty());
  CHECK(run.summary.exit_code == 0);
}

TEST_CASE("an exit listener that exits, after an exception that nobody has caught", "[exit]") {
  const std::string main =
      R"({"on": "process", "event": "exit", "do": [ {"log": "exit {code}"}, {"exit": 3} ]}, {"throw": "x"})";
  for (const char* runtime : {"node-4", "node-8", "node-12", "node-16", "node-20", "node-26"}) {
    const auto run = simulate_main(main, runtime);
    CHECK(run.output == Lines{"exit 1"});  // not once more for process.exit()
    CHECK(run.summary.exit_code == 3);
  }
}

TEST_CASE("ticks that an exception has left behind in poll", "[exit]") {
  const std::string main = R"(
    {"on": "process", "event": "uncaughtException", "do": [ {"log": "caught"} ]},
    {"setTimeout": 5, "do": [
      {"fs": "stat", "takes": "1ms", "do": [
        {"nextTick": [ {"log": "tick"} ]}, {"then": null, "do": [ {"log": "microtask"} ]}, {"throw": "x"} ]},
      {"cpu": "3ms"}, {"setImmediate": [ {"log": "immediate"} ]} ]})";
  for (const char* runtime : {"node-4", "node-8", "node-11", "node-26"})
    CHECK(simulate_main(main, runtime).output == Lines{"caught", "immediate", "tick", "microtask"});
  for (const char* runtime : {"node-12", "node-14", "node-16", "node-24"}) {
    const auto run = simulate_main(main, runtime);
    CHECK(run.output == Lines{"caught", "tick", "microtask", "immediate"});
    // Real Node does not tell the phase, but its source does: an immediate that runs what is left
    // (lib/internal/process/execution.js, createOnGlobalUncaughtException).
    for (const auto& kept : run.events) {
      if (kept.event.kind == loopsim::EventKind::log && kept.text == "tick")
        CHECK(kept.event.phase == loopsim::Phase::check);
    }
  }
}

TEST_CASE("numbers that are written with an exponent", "[text]") {
  CHECK(simulate_main(R"({"set": {"a": 1e21, "b": 123456789012345680000, "c": 1e-7, "d": 0.000001, "e": -1.5e300}},
    {"log": "{a} {b} {c} {d} {e}"})")
            .output == Lines{"1e+21 123456789012345680000 1e-7 0.000001 -1.5e+300"});
}

TEST_CASE("the times of all requests of a call are drawn when it is made", "[pool]") {
  // Two calls: the second one's open ends first, and yet the first call has the first write time.
  const auto run = simulate_main(R"(
    {"fs": "writeFile", "takes": {"open": {"sequence": ["5ms", "1ms"]}, "write": {"sequence": ["1ms", "10ms"]}}, "do": [], "as": "a"},
    {"set": {"x": 0}})");
  CHECK(run.callbacks == Lines{"a@6"});
  const auto both = simulate(R"({
    "functions": { "write": [ {"fs": "writeFile", "takes": {"open": {"sequence": ["5ms", "1ms"]},
      "write": {"sequence": ["1ms", "10ms"]}}, "do": [], "as": "w"} ] },
    "main": [ {"call": "write"}, {"call": "write"} ] })");
  CHECK(both.callbacks == Lines{"w@6", "w@11"});
}
