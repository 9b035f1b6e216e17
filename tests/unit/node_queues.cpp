// Immediates, ticks, microtasks, promises, exceptions and the pool. Expected values: measured on real Node.
#include "tests/support/simulate.hpp"

using loopsim::testing::Lines;
using loopsim::testing::Run;
using loopsim::testing::simulate;
using loopsim::testing::simulate_main;

TEST_CASE("ticks before microtasks in a script, after them in a module", "[queues]") {
  const std::string main =
      R"({"then": null, "do": [{"log": "micro"}]}, {"nextTick": [{"log": "tick"}]}, {"log": "main"})";
  CHECK(simulate_main(main).output == Lines{"main", "tick", "micro"});
  CHECK(simulate_main(main, "", R"("runtime": {"profile": "node-24", "entry": "module"})").output ==
        Lines{"main", "micro", "tick"});
}

TEST_CASE("an exception after an await at the top level passes through the loader", "[queues]") {
  // The number of chained microtasks that run before the exception ends the process.
  std::string chain;
  for (int i = 10; i >= 1; --i)
    chain =
        R"({"then": null, "do": [ {"log": ")" + std::to_string(i) + "\"}" + (chain.empty() ? "" : ", ") + chain + " ]}";
  const auto steps = [&chain](const std::string& runtime) {
    const std::string more = R"("runtime": {"profile": ")" + runtime + R"(", "entry": "module"})";
    return simulate_main(R"({"await": null}, )" + chain + R"(, {"throw": "x"})", "", more).output.size();
  };
  CHECK(steps("node-14") == 4);
  CHECK(steps("node-16") == 9);
  for (const char* runtime : {"node-18", "node-20"}) CHECK(steps(runtime) == 4);
  for (const char* runtime : {"node-22", "node-24", "node-26"}) CHECK(steps(runtime) == 5);
}

TEST_CASE("what is drained between two immediates and between two timers", "[queues]") {
  const std::string immediates =
      R"({"setImmediate": [{"log": "i1"}, {"then": null, "do": [{"log": "p"}]}, {"nextTick": [{"log": "n"}]}]},
                                    {"setImmediate": [{"log": "i2"}]})";
  CHECK(simulate_main(immediates, "node-10").output == Lines{"i1", "i2", "n", "p"});
  CHECK(simulate_main(immediates, "node-11").output == Lines{"i1", "n", "p", "i2"});
  const std::string timers =
      R"({"setTimeout": 0, "do": [{"log": "timer1"}, {"then": null, "do": [{"log": "promise1"}]}]},
                                {"setTimeout": 0, "do": [{"log": "timer2"}, {"then": null, "do": [{"log": "promise2"}]}]})";
  CHECK(simulate_main(timers, "node-10").output == Lines{"timer1", "timer2", "promise1", "promise2"});
  CHECK(simulate_main(timers, "node-11").output == Lines{"timer1", "promise1", "timer2", "promise2"});
}

TEST_CASE("immediates queued by immediates wait for the next turn", "[queues]") {
  const auto run = simulate_main(
      R"({"setImmediate": [{"log": "a"}, {"setImmediate": [{"log": "c"}]}]}, {"setImmediate": [{"log": "b"}]})");
  CHECK(run.output == Lines{"a", "b", "c"});
  CHECK(run.summary.turns == 2);
}

TEST_CASE("an immediate can clear a later one of its batch", "[queues]") {
  CHECK(
      simulate_main(
          R"({"setImmediate": [{"clear": "b"}], "as": "a"}, {"setImmediate": [], "as": "b"}, {"setImmediate": [], "as": "c"})")
          .callbacks == Lines{"a@0", "c@0"});
}

TEST_CASE("a promise of setImmediate is waited for in the check phase, and nothing else happens", "[promises]") {
  for (const char* runtime : {"node-16", "node-24"}) {
    INFO(runtime);
    const Run run = simulate_main(
        R"({"async": [{"await": {"setImmediate": null}}, {"log": "x"}], "as": "p"}, {"fs": "stat", "as": "f", "do": []})",
        runtime);
    CHECK(run.callbacks == Lines{"f@0", "setImmediate@1@0", "p@0"});
    CHECK(run.output == Lines{"x"});
  }
}

TEST_CASE("async1 and async2: await costs one microtask, or three in Node 10 and 11", "[promises]") {
  const std::string document = R"({
    "functions": { "async1": [{"log": "async1 start"}, {"await": {"async": "async2"}}, {"log": "async1 end"}],
      "async2": [{"log": "async2"}] },
    "main": [ {"log": "script start"}, {"setTimeout": 0, "do": [{"log": "setTimeout"}]}, {"async": "async1"},
      {"promise": "p", "do": [{"log": "promise1"}, {"resolve": "p"}]}, {"then": "p", "do": [{"log": "promise2"}]},
      {"log": "script end"} ] })";
  const Lines modern{"script start", "async1 start", "async2",   "promise1",
                     "script end",   "async1 end",   "promise2", "setTimeout"};
  const Lines slow{"script start", "async1 start", "async2",     "promise1",
                   "script end",   "promise2",     "async1 end", "setTimeout"};
  for (const char* runtime : {"node-8", "node-12", "node-18", "node-24"})
    CHECK(simulate(document, runtime).output == modern);
  for (const char* runtime : {"node-10", "node-11"}) CHECK(simulate(document, runtime).output == slow);
}

TEST_CASE("returning a promise from then costs two more microtasks than a value", "[promises]") {
  CHECK(simulate_main(R"(
    {"promise": "r"}, {"resolve": "r"},
    {"then": null, "do": [{"log": "a1"}, {"return": "{r}"}], "as": "a"}, {"then": "a", "do": [{"log": "a2"}]},
    {"then": null, "do": [{"log": "b1"}], "as": "b"}, {"then": "b", "do": [{"log": "b2"}], "as": "c"},
    {"then": "c", "do": [{"log": "b3"}], "as": "d"}, {"then": "d", "do": [{"log": "b4"}], "as": "e"},
    {"then": "e", "do": [{"log": "b5"}]})")
            .output == Lines{"a1", "b1", "b2", "b3", "a2", "b4", "b5"});
}

TEST_CASE("Promise.all, race, any and allSettled", "[promises]") {
  CHECK(simulate_main(R"(
    {"promise": "p1"}, {"promise": "p2"},
    {"all": ["p1", "p2"], "as": "every"}, {"then": "every", "do": [{"log": "all {value}"}]},
    {"race": ["p1", "p2"], "as": "first"}, {"then": "first", "do": [{"log": "race {value}"}]},
    {"allSettled": ["p1", "p2"], "as": "settled"}, {"then": "settled", "do": [{"log": "allSettled"}]},
    {"any": ["p2", "p1"], "as": "some"}, {"then": "some", "do": [{"log": "any {value}"}]},
    {"resolve": "p2", "with": 2}, {"resolve": "p1", "with": 1})")
            .output == Lines{"race 2", "any 2", "all 1,2", "allSettled"});
}

TEST_CASE("finally passes the value on, and replaces it when it throws", "[promises]") {
  CHECK(simulate_main(R"(
    {"promise": "p"}, {"resolve": "p", "with": 7},
    {"then": "p", "finally": [{"log": "cleanup"}, {"return": 9}], "as": "q"}, {"then": "q", "do": [{"log": "still {value}"}]},
    {"then": "p", "finally": [{"throw": "no"}], "as": "r"}, {"then": "r", "catch": [{"log": "{error.message}"}]})")
            .output == Lines{"cleanup", "no", "still 7"});
}

TEST_CASE("try, catch, finally and return in an async function", "[exceptions]") {
  CHECK(simulate(R"({
    "functions": { "f": [
      {"try": [ {"await": null}, {"throw": "boom"} ], "catch": [ {"log": "caught {error.message}"}, {"return": 5} ],
       "finally": [ {"log": "finally"} ]},
      {"log": "never"} ] },
    "main": [ {"async": "f", "as": "p"}, {"then": "p", "do": [{"log": "got {value}"}]} ] })")
            .output == Lines{"caught boom", "finally", "got 5"});
}

TEST_CASE("return runs every finally on its way out", "[exceptions]") {
  CHECK(simulate(R"({
    "functions": { "f": [ {"try": [ {"repeat": 3, "as": "i", "do": [ {"setImmediate": [{"log": "i {i}"}]},
        {"try": [ {"if": ["i", "==", 1], "then": [{"return": "{i}"}]} ], "finally": [ {"log": "inner {i}"} ]} ]} ],
      "finally": [ {"log": "outer"} ]} ] },
    "main": [ {"call": "f", "as": "x"}, {"log": "x = {x}"} ] })")
            .output == Lines{"inner 0", "inner 1", "outer", "x = 1", "i 0", "i 1"});
}

TEST_CASE("a handled exception, and what is drained when", "[exceptions]") {
  const std::string main = R"(
    {"on": "process", "event": "uncaughtException", "do": [{"log": "caught"}]},
    {"setTimeout": 1, "do": [{"log": "t1"}, {"nextTick": [{"log": "tick"}]}, {"then": null, "do": [{"log": "micro"}]}, {"throw": "x"}]},
    {"setTimeout": 1, "do": [{"log": "t2"}]},
    {"setImmediate": [{"log": "i1"}, {"nextTick": [{"log": "itick"}]}, {"throw": "y"}]}, {"setImmediate": [{"log": "i2"}]}, {"spin": 5})";
  for (const char* runtime : {"node-10", "node-12", "node-18", "node-20", "node-24"}) {
    INFO(runtime);
    CHECK(simulate_main(main, runtime).output ==
          Lines{"t1", "caught", "t2", "tick", "micro", "i1", "caught", "i2", "itick"});
  }
  for (const char* runtime : {"node-4", "node-8"}) {
    INFO(runtime);
    CHECK(simulate_main(main, runtime).output ==
          Lines{"t1", "caught", "i1", "caught", "i2", "tick", "t2", "itick", "micro"});
  }
}

TEST_CASE("an exception that nobody handles ends the process with code 1, after the exit listeners", "[exceptions]") {
  const auto run = simulate_main(
      R"({"on": "process", "event": "exit", "do": [{"log": "exit {code}"}]}, {"setTimeout": 3, "do": [{"throw": "x"}]},
                                    {"setTimeout": 9, "do": [{"log": "never"}]})");
  CHECK(run.output == Lines{"exit 1"});
  CHECK(run.summary.exit_code == 1);
  CHECK(run.summary.reason == loopsim::ExitReason::uncaught_exception);
  CHECK(run.summary.end_time == 3 * loopsim::kMillisecond);
}

TEST_CASE("unhandled rejections: warned about until Node 14, raised from 15 on", "[exceptions]") {
  const std::string main =
      R"({"promise": "p"}, {"reject": "p", "error": "no"}, {"setTimeout": 1, "do": [{"log": "timer"}]})";
  CHECK(simulate_main(main, "node-14").output == Lines{"timer"});
  CHECK(simulate_main(main, "node-14").summary.exit_code == 0);
  CHECK(simulate_main(main, "node-16").output.empty());
  CHECK(simulate_main(main, "node-16").summary.exit_code == 1);
}

TEST_CASE("six operations on four threads", "[pool]") {
  const auto run = simulate_main(
      R"({"repeat": 6, "as": "i", "do": [{"fs": "read", "takes": 10, "do": [{"log": "{i} at {now}"}]}]})");
  CHECK(run.output == Lines{"0 at 10", "1 at 10", "2 at 10", "3 at 10", "4 at 20", "5 at 20"});
}

TEST_CASE("slow DNS lookups take at most half of the threads", "[pool]") {
  const auto run = simulate_main(
      R"({"repeat": 4, "as": "i", "do": [{"dns": "lookup", "takes": 10, "do": [{"log": "dns {i} at {now}"}]}]},
                                    {"repeat": 3, "as": "i", "do": [{"fs": "stat", "takes": 5, "do": [{"log": "fs {i} at {now}"}]}]})");
  CHECK(run.output ==
        Lines{"fs 0 at 5", "fs 1 at 5", "dns 0 at 10", "dns 1 at 10", "fs 2 at 10", "dns 2 at 20", "dns 3 at 20"});
}

TEST_CASE("readFile is four requests, one after another", "[pool]") {
  const auto run = simulate_main(
      R"({"fs": "readFile", "takes": {"open": 1, "stat": 2, "read": 3, "close": 4}, "as": "r", "do": [{"log": "{now}"}]})");
  CHECK(run.output == Lines{"10"});
  CHECK(run.summary.turns >= 4);
  // Each request needs its own turn, even if it takes no time.
  CHECK(simulate_main(R"({"fs": "readFile", "as": "r", "do": []})").summary.turns >= 4);
}

TEST_CASE("process.exit drops what waits, beforeExit can revive", "[life cycle]") {
  CHECK(simulate_main(
            R"({"nextTick": [{"log": "never"}]}, {"on": "process", "event": "exit", "do": [
              {"log": "exit {code}"}, {"nextTick": [{"log": "never"}]}]},
                         {"setTimeout": 1, "do": [{"log": "never"}]}, {"exit": 3})")
            .output == Lines{"exit 3"});
  const auto run = simulate_main(
      R"({"set": {"n": 0}}, {"on": "process", "event": "beforeExit", "do": [{"add": {"n": 1}}, {"log": "before {n}"},
      {"if": ["n", "<", 3], "then": [{"setTimeout": 10, "do": []}]}]})");
  CHECK(run.output == Lines{"before 1", "before 2", "before 3"});
  CHECK(run.summary.end_time == 20 * loopsim::kMillisecond);
}

TEST_CASE("every runaway ends at a limit with a name", "[limits]") {
  using loopsim::LimitKind;
  const auto limit_of = [](const std::string& document) {
    const auto run = simulate(document);
    CHECK(run.summary.reason == loopsim::ExitReason::limit);
    CHECK(run.events.back().event.kind == loopsim::EventKind::exit);
    return run.summary.limit;
  };
  CHECK(limit_of(R"({"functions": {"f": [{"nextTick": "f"}]}, "main": [{"call": "f"}]})") == LimitKind::callbacks);
  CHECK(limit_of(R"({"functions": {"f": [{"queueMicrotask": "f"}]}, "main": [{"call": "f"}]})") ==
        LimitKind::callbacks);
  CHECK(limit_of(R"({"functions": {"f": [{"setImmediate": "f"}]}, "main": [{"call": "f"}]})") == LimitKind::callbacks);
  CHECK(limit_of(R"({"functions": {"f": [{"await": null}, {"call": "f"}]}, "main": [{"call": "f"}]})") ==
        LimitKind::callbacks);
  CHECK(limit_of(R"({"main": [{"setInterval": 1000, "do": []}]})") == LimitKind::time);
  CHECK(limit_of(R"({"main": [{"repeat": 1000000000, "do": []}]})") == LimitKind::steps);
  CHECK(limit_of(R"({"main": [{"repeat": 10000000, "do": [{"setTimeout": 1, "do": []}]}]})") == LimitKind::queue);
  CHECK(limit_of(R"({"functions": {"f": [{"call": "f"}]}, "main": [{"call": "f"}]})") == LimitKind::depth);
  CHECK(limit_of(
            R"({"functions": {"f": [{"emit": "e", "event": "x"}]}, "main": [{"emitter": "e"},
              {"on": "e", "event": "x", "do": "f"}, {"call": "f"}]})") == LimitKind::depth);
  CHECK(limit_of(R"({"main": [{"cpu": "2h"}]})") == LimitKind::time);
  for (const char* runtime : {"node-4", "node-8", "node-10", "node-24"}) {  // each listener causes the next rejection
    const auto run = simulate_main(R"({"on": "process", "event": "unhandledRejection", "do": [
        {"promise": "p"}, {"reject": "p"}]}, {"promise": "q"}, {"reject": "q"})",
                                   runtime);
    CHECK(run.summary.limit == LimitKind::callbacks);
  }
}

TEST_CASE("what a step asks for is told before the limit that it reaches", "[limits]") {
  for (const std::string step : {R"({"queueMicrotask": []})", R"({"nextTick": []})", R"({"setImmediate": []})",
                                 R"({"setTimeout": 1, "do": []})", R"({"then": null, "do": []})"}) {
    const auto run = simulate(R"({"limits": {"queue": 3}, "main": [{"repeat": 9, "do": [)" + step + "]}]}");
    CAPTURE(step);
    CHECK(run.summary.limit == loopsim::LimitKind::queue);
    bool is_over = false;
    for (const auto& told : run.events) {
      if (told.event.kind == loopsim::EventKind::limit) is_over = true;
      CHECK_FALSE((is_over && told.event.kind == loopsim::EventKind::schedule));
    }
  }
}

TEST_CASE(
    "the rest of a batch of immediates throws, too: what was queued meanwhile runs in the same turn from Node 10 on",
    "[queues]") {
  // Measured on Node 4 to 26.
  const std::string main = R"(
    {"on": "process", "event": "uncaughtException", "do": [{"setImmediate": [{"log": "queued"}]}]},
    {"setImmediate": [{"throw": "one"}]}, {"setImmediate": [{"throw": "two"}]})";
  for (const char* runtime : {"node-10", "node-11", "node-12", "node-24"}) {
    const auto run = loopsim::testing::simulate_main(main, runtime);
    CHECK(run.output == loopsim::testing::Lines{"queued", "queued"});
    for (const auto& kept : run.events) {
      if (kept.event.kind == loopsim::EventKind::log) CHECK(kept.event.turn == 1);
    }
  }
}

// Found by random programs; real Node 4 to 8 do the same. The tick that resumes one batch runs within another batch.
TEST_CASE("a tick within a batch of immediates takes what is queued, not the batch", "[queues]") {
  const std::string main = R"({"on": "process", "event": "uncaughtException", "do": [
        {"setImmediate": [{"log": "immediate"}, {"then": null, "do": [{"log": "micro"}]}]}]},
      {"spawn": "no-such-command", "error": "ENOENT"},
      {"setImmediate": [{"throw": "e"}]})";
  CHECK(simulate_main(main, "node-8").output == Lines{"immediate", "micro", "immediate", "micro"});
}

// Found by random programs: at 4 ms thread 2 ends a write and also the lookup that waited for a slot.
TEST_CASE("work that begins and ends with the end of other work comes behind it", "[queues]") {
  const auto run = simulate_main(
      R"({"fs": "stat", "takes": "5ms", "as": "stat5", "do": []}, {"fs": "stat", "takes": "1ms", "as": "stat1", "do": []},
         {"dns": "lookup", "takes": "1ms", "as": "lookup1", "do": []},
         {"dns": "lookup", "takes": "1ms", "as": "lookup2", "do": []},
         {"dns": "lookup", "takes": 0, "as": "lookup3", "do": []},
         {"fs": "write", "takes": "6.5ms", "as": "write1", "do": []},
         {"fs": "write", "takes": "3ms", "as": "write2", "do": []}, {"fs": "lstat", "takes": "5ms", "as": "lstat", "do": []})");
  CHECK(run.callbacks ==
        Lines{"stat1@1", "lookup1@1", "lookup2@1", "write2@4", "lookup3@4", "stat5@5", "lstat@6", "write1@7.5"});
}

TEST_CASE("the callback of work elsewhere is given an error or null, and nothing else", "[pool]") {
  const auto run =
      simulate(R"({"functions": {"done": {"parameters": ["error", "more"], "do": [{"log": "{error} {more}"}]}},
    "main": [{"fs": "access", "do": "done"}, {"fs": "readFile", "error": "ENOENT", "do": "done"}]})");
  CHECK(run.output == Lines{"null undefined", "Error: ENOENT, open undefined"});
}

TEST_CASE("a run without a trace has no events", "[life cycle]") {
  const auto program = loopsim::testing::compile_text(R"({"main": [{"setTimeout": 1, "do": [{"log": "x"}]}]})");
  const auto summary = loopsim::run(*program, {});
  CHECK(summary.events == 0);
  CHECK(summary.callbacks == 2);
}

// Measured on real Node 10 to 26.
TEST_CASE("Promise.resolve().finally() runs in the first round of microtasks, what waits for it in the fourth",
          "[queues]") {
  const std::string main =
      R"({"then": null, "as": "f", "finally": [{"log": "finally"}]}, {"then": "f", "do": [{"log": "after"}]},
    {"then": null, "as": "a", "do": [{"log": "1"}]}, {"then": "a", "as": "b", "do": [{"log": "2"}]},
    {"then": "b", "as": "c", "do": [{"log": "3"}]}, {"then": "c", "as": "d", "do": [{"log": "4"}]},
    {"then": "d", "do": [{"log": "5"}]})";
  for (const char* runtime : {"node-10", "node-12", "node-18", "node-24"})
    CHECK(simulate_main(main, runtime).output == Lines{"finally", "1", "2", "3", "after", "4", "5"});
}
