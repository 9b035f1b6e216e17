// The sentences of explanations for runs whose causes are known.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "loopsim/explain.hpp"
#include "loopsim/trace_reader.hpp"

#include "tests/support/explain_sources.hpp"
#include "tests/support/scenario_files.hpp"
#include "tests/support/simulate.hpp"

using namespace loopsim;
using namespace loopsim::testing;

namespace {

using Lines = std::vector<std::string>;

std::unique_ptr<Explainer> explainer_of(std::string_view scenario, const std::string& runtime = "") {
  auto explainer = make_explainer();
  TraceSink* const sinks[] = {explainer.get()};
  run(*compile_text(std::string(scenario), runtime), sinks);
  return explainer;
}

std::unique_ptr<Explainer> explainer_of_trace(const std::string& trace) {
  auto explainer = make_explainer();
  TraceSink* const sinks[] = {explainer.get()};
  const Diagnostics problems = read_trace(trace, "by hand", sinks);
  REQUIRE(problems.empty());
  return explainer;
}

// The sentences about the last callback with this label.
Lines about(const Explainer& explainer, std::string_view label) {
  Lines lines;
  for (const std::uint64_t id : explainer.callbacks()) {
    const Explanation explanation = explainer.explanation(id);
    if (explanation.label != label) continue;
    lines.clear();
    for (const ExplanationSentence& sentence : explanation.sentences) lines.push_back(format_sentence(sentence));
  }
  return lines;
}

}  // namespace

TEST_CASE("what never ran names the event that ended the run, and its time", "[explain]") {
  const auto explainer = make_explainer();
  Collector collector;
  TraceSink* const sinks[] = {explainer.get(), &collector};
  run(*compile_text(R"({"main": [{"setTimeout": 9, "as": "late", "do": []}, {"setTimeout": 5, "do": [{"exit": 0}]}]})"),
      sinks);
  REQUIRE(collector.kept.back().event.kind == EventKind::exit);
  CHECK(about(*explainer, "late").back() == "It never ran: process.exit() ended the process at 5.000.");
  for (const std::uint64_t id : explainer->callbacks()) {
    const Explanation explanation = explainer->explanation(id);
    if (explanation.label == "late") CHECK(explanation.sentences.back().event == collector.kept.back().event.sequence);
  }
}

TEST_CASE("the timer of Node's documentation: armed, held up, late", "[explain]") {
  const auto explainer = explainer_of(R"({
    "main": [
      { "setTimeout": 100, "as": "timer", "do": [] },
      { "fs": "read", "takes": "95ms", "as": "someAsyncOperation", "do": [ { "spin": "10ms" } ] }
    ]
  })");
  CHECK(about(*explainer, "timer") ==
        Lines{"timer was armed at 0.000 by main for 100 ms, due 100.000.",
              "Poll slept from 0.000 to 95.000; it would have slept 100 ms at most, until timer, the nearest timer, "
              "was due.",
              "At 100.000 the poll phase was running someAsyncOperation, from 95.000 to 105.000; nothing interrupts a "
              "callback.",
              "The timers phase of turn 1 ran it at 105.000, 5.000 late."});
  CHECK(about(*explainer, "someAsyncOperation") ==
        Lines{"someAsyncOperation was asked for at 0.000 by main: fs.read, 95 ms of work for a thread of the pool.",
              "Thread 0 of the pool worked on it from 0.000 to 95.000.",
              "Poll slept from 0.000 to 95.000; it would have slept 100 ms at most, until timer, the nearest timer, "
              "was due.",
              "The poll of turn 1 was notified, and called it at 95.000."});
  CHECK(about(*explainer, "main") ==
        Lines{"main is the program itself: Node runs it first, and then the loop.", "It ran from 0.000 to 0.000."});
}

TEST_CASE("the chain goes back to the main script, and is bounded", "[explain]") {
  const auto explainer = explainer_of(R"({
    "main": [ { "setTimeout": 5, "as": "a", "do": [ { "setImmediate": [ { "nextTick": [], "as": "c" } ], "as": "b" } ] } ]
  })");
  CHECK(about(*explainer, "c") == Lines{"c was queued at 5.000 by b with process.nextTick().",
                                        "After b Node emptied its queues: first the ticks, in the order in which they "
                                        "were queued. So it ran at 5.000.",
                                        "b ran at 5.000; a had asked for it at 5.000.",
                                        "a ran at 5.000; main had asked for it at 0.000."});

  const auto deep = explainer_of(R"({
    "limits": { "callbacks": 30 },
    "functions": { "again": [ { "setImmediate": "again", "as": "next" } ] },
    "main": [ { "call": "again" } ]
  })");
  const Lines chain = about(*deep, "next");
  REQUIRE(chain.size() > 9);
  CHECK(chain.back() == "And so on, back to main; callbacks left out here: 21.");
}

TEST_CASE("where the chain is cut, a single callback may be missing", "[explain]") {
  const auto explainer = explainer_of(R"({
    "limits": { "callbacks": 10 },
    "functions": { "again": [ { "setImmediate": "again", "as": "next" } ] },
    "main": [ { "call": "again" } ]
  })");
  const Lines chain = about(*explainer, "next");
  REQUIRE(chain.size() > 9);
  CHECK(chain.at(chain.size() - 2) == "next #3 ran at 0.000; next #2 had asked for it at 0.000.");
  CHECK(chain.back() == "And so on, back to main; callbacks left out here: 1.");
}

TEST_CASE("poll that finds work done does not sleep", "[explain]") {
  CHECK(about(*explainer_of(R"({"main": [ { "setTimeout": 100, "as": "far", "do": [] },
    { "fs": "read", "takes": "1ms", "as": "read", "do": [] }, { "cpu": "5ms" } ]})"),
              "read") == Lines{"read was asked for at 0.000 by main: fs.read, 1 ms of work for a thread of the pool.",
                               "Thread 0 of the pool worked on it from 0.000 to 1.000.",
                               "Poll did not sleep: there was something to do already.",
                               "At 1.000 main was still running, until 5.000; the loop begins after it.",
                               "The poll of turn 1 was notified, and called it at 5.000, 4.000 after it was ready."});
}

TEST_CASE("what the world outside did later is not what a callback was ready for", "[explain]") {
  const auto explainer = explainer_of(R"({"inputs": [ { "at": "3ms", "connect": 8080, "as": "c" } ],
    "main": [ { "listen": 8080, "as": "server", "on": { "connection": [ { "nextTick": [], "as": "tick" } ] } },
      { "setTimeout": 1, "do": [ { "connect": 8080, "as": "s" } ] }, { "setTimeout": 1, "do": [ { "cpu": "8ms" } ] },
      { "setTimeout": 20, "do": [ { "exit": 0 } ] } ]})",
                                      "node-24");
  std::vector<Lines> connections;
  for (const std::uint64_t id : explainer->callbacks()) {
    const Explanation explanation = explainer->explanation(id);
    if (explanation.label != "server.connection") continue;
    connections.emplace_back();
    for (const ExplanationSentence& sentence : explanation.sentences)
      connections.back().push_back(format_sentence(sentence));
  }
  REQUIRE(connections.size() == 2);
  CHECK(connections[0].at(1) == "A client had connected at 1.000.");
  CHECK(connections[1].at(1) == "The world outside did this at 3.000: c connects to port 8080.");
}

TEST_CASE("an exception of nobody's is not put down to the one who threw the last", "[explain]") {
  TraceLines lines("node-24");
  lines.add(0, "main", R"("ev":"callback_begin","api":"main","id":1,"name":"main")");
  lines.add(0, "main", R"("ev":"callback_end","api":"main","id":1,"name":"main","how":"throw")");
  lines.add(0, "main", R"("ev":"uncaught","text":"Error: first")");
  lines.add(0, "main", R"("ev":"uncaught","text":"Error: second")");
  CHECK(about(*explainer_of_trace(lines.exit(0).text()), "main").back() ==
        "It threw Error: first, and nothing caught it: the process ended.");
}

TEST_CASE("late timers of several lists: A C B", "[explain]") {
  const auto explainer = explainer_of(R"({
    "main": [
      { "setTimeout": 10, "as": "A", "do": [] }, { "cpu": "2ms" }, { "setTimeout": 9, "as": "B", "do": [] }, { "cpu": "2ms" },
      { "setTimeout": 10, "as": "C", "do": [] }, { "cpu": "26ms" }
    ]
  })");
  CHECK(about(*explainer, "C").at(2) ==
        "All timers of 10 ms stand in one list, and are called in the order in which they were armed: A first, then "
        "this one.");
  CHECK(about(*explainer, "B").at(2) ==
        "C was due later, at 14.000, and yet came first: timers of one length are a list, and a list is finished "
        "before the next.");
}

TEST_CASE("what the machine does to a callback is said with its times", "[explain]") {
  CHECK(about(*explainer_of(kQuota), "timer") ==
        Lines{"timer was armed at 0.000 by main for 20 ms, due 20.000.",
              "From 10.000 to 100.000 the process was not allowed to run: it had used up its quota of CPU.",
              "The timers phase of turn 1 ran it at 105.000, 85.000 late."});
  CHECK(about(*explainer_of(kQuota), "main").back() ==
        "Its computation of 15 ms took 105 ms: it did not get the CPU all the time.");
  CHECK(about(*explainer_of(kOverhead), "b").at(1) == "At 2.000 Node itself was computing, between callbacks.");
  CHECK(about(*explainer_of(kManyBefore), "last").at(6) == "And 2 more callbacks were before it.");
}

TEST_CASE("what never ran says what ended it", "[explain]") {
  CHECK(about(*explainer_of(kSignalEnds), "timer").back() ==
        "It never ran: a signal without a listener ended the process at 15.000.");
  CHECK(about(*explainer_of(R"({ "main": [ { "setTimeout": 5, "as": "t", "do": [] }, { "clear": "t" } ] })"), "t")
            .back() == "It never ran: main cleared it at 0.000.");
  CHECK(about(*explainer_of(R"({ "main": [ { "setTimeout": 5, "as": "t", "do": [] }, { "unref": "t" } ] })"), "t")
            .back() ==
        "It never ran: it had been unref'd, and when nothing else was left, at 0.000, the process ended.");
  CHECK(
      about(*explainer_of(R"({ "main": [ { "setTimeout": 5, "as": "t", "do": [] }, { "exit": 0 } ] })"), "t").back() ==
      "It never ran: process.exit() ended the process at 0.000.");
}

namespace {

// What explain says of why this never ran, and of what led to it.
Lines never(std::string_view label, std::string_view scenario, const std::string& runtime = "node-24") {
  Lines lines = about(*explainer_of(scenario, runtime), label);
  const auto is_reason = [](const std::string& line) {
    return line.find("starved") != std::string::npos || line.find("simulation stopped") != std::string::npos;
  };
  lines.erase(lines.begin(), std::ranges::find_if(lines, is_reason));
  return lines;
}

}  // namespace

TEST_CASE("what a limit stopped names what kept the loop", "[explain]") {
  const std::string limit =
      "The simulation stopped at 0.000, at a limit of the scenario; without it, this would have gone on.";
  const std::string endless_tick =
      R"({ "limits": { "callbacks": 50 }, "functions": { "again": [ { "nextTick": "again" } ] },
    "main": [ { "setTimeout": 1, "as": "timer", "do": [] }, { "call": "again" } ] })";
  SECTION("ticks, microtasks, and both in turns") {
    CHECK(
        never("timer", endless_tick) ==
        Lines{
            "Ticks starved it: the loop has been emptying their queue since 0.000; 49 callbacks have run, and there is "
            "always one more: again → again.",
            limit});
    CHECK(never("timer", kEndlessAwait) ==
          Lines{"Microtasks starved it: the loop has been emptying their queue since 0.000; 49 callbacks have run, and "
                "there is always one more: spinner → spinner.",
                limit});
    CHECK(
        never("timer", kEndlessTurns) ==
        Lines{"Ticks and microtasks starved it: the loop has emptied their queues since 0.000; 49 callbacks have run, "
              "with always one more: b → a → b.",
              limit});
  }
  SECTION("what stands in that queue itself was only next") {
    CHECK(never("again", endless_tick).at(0) ==
          "It did not run any more: the simulation stopped at 0.000, at a limit of the scenario.");
  }
  SECTION("many ticks that nothing repeats are no starvation") {
    CHECK(never("file", R"({ "limits": { "callbacks": 50 }, "main": [ { "fs": "read", "as": "file", "do": [] },
                             { "repeat": 100, "do": [ { "nextTick": [], "as": "tick" } ] } ] })") ==
          Lines{"It did not run any more: the simulation stopped at 0.000, at a limit of the scenario."});
  }
  SECTION("a drain that ran fewer callbacks than came before it is not to blame") {
    CHECK(
        never("waits", R"({ "limits": { "callbacks": 60 }, "main": [ { "repeat": 40, "do": [ { "setImmediate": [] } ] },
                              { "setTimeout": 10, "do": [ { "setImmediate": [], "as": "waits" },
                                { "async": [ { "repeat": 1000, "do": [ { "await": null } ] } ] } ], "as": "t" } ] })") ==
        Lines{"It did not run any more: the simulation stopped at 10.000, at a limit of the scenario.",
              "t ran at 10.000; main had asked for it at 0.000."});
  }
  SECTION("a callback without an end") {
    CHECK(never("timer", kEndlessMain) ==
          Lines{"main starved it: it has been running since 0.000, and nothing else runs before it ends.", limit});
  }
  SECTION("a phase without an end") {
    CHECK(never("file", kTwoBusyIntervals, "node-10").at(0) ==
          "The timers phase starved it: the loop has been in it since 1.000; 99 callbacks have run, and there is "
          "always one "
          "more: a, b.");
    CHECK(about(*explainer_of(kTwoBusyIntervals, "node-11"), "file").back() ==
          "The poll of turn 2 was notified, and called it at 4.000, 2.000 after it was ready.");
  }
  SECTION("a timer that was not due yet") {
    CHECK(never("late", kTwoBusyIntervals) ==
          Lines{"It was not due before 5000.000; the simulation stopped at 295.000, at a limit of the scenario."});
  }
}

TEST_CASE("requests: threads, the network, children", "[explain]") {
  CHECK(about(*explainer_of(kNetworkAnswer), "answer") ==
        Lines{"answer was asked for at 0.000 by main: dns.resolve, which waits for an answer from the network and "
              "needs no thread.",
              "The answer came at 3.000.",
              "Poll slept from 0.000 to 3.000: no timer was set, so it sleeps until something happens.",
              "Poll of turn 1 found it and called it at 3.000."});
  CHECK(about(*explainer_of(kIdleChild), "child.exit") ==
        Lines{"child.exit listens for 'exit': main added it.",
              "The child process ended at 4.000: that is SIGCHLD, a signal, which poll handles last.",
              "Poll slept from 0.000 to 4.000: no timer was set, so it sleeps until something happens.",
              "Poll of turn 1 asked which children had ended, and called it at 4.000."});
  const Lines waited = about(*explainer_of(R"({
    "runtime": { "profile": "node-24", "threadpool": 1 },
    "main": [ { "fs": "stat", "takes": "10ms", "as": "a", "do": [] }, { "fs": "stat", "takes": "10ms", "as": "b", "do": [] } ]
  })"),
                             "b");
  CHECK(waited.at(1) == "No thread of the pool was free (there are 1): it waited from 0.000 to 10.000.");
}

TEST_CASE("what a reaction waited for is said as far as the trace proves it", "[explain]") {
  const auto explainer = explainer_of(R"({
    "main": [
      { "promise": "p" }, { "then": "p", "do": [], "as": "late" },
      { "promise": "q", "do": [ { "resolve": "q" } ] }, { "then": "q", "do": [], "as": "soon" },
      { "setTimeout": 5, "as": "timer", "do": [ { "resolve": "p" } ] }
    ]
  })");
  CHECK(about(*explainer, "late") ==
        Lines{"late was attached at 0.000 by main with then() to the promise p: it becomes a microtask when that is "
              "settled.",
              "timer fulfilled p at 5.000, with undefined.",
              "After timer Node emptied its queues: all ticks, then the microtasks, in the order in which they were "
              "queued. "
              "So it ran at 5.000."});
  CHECK(about(*explainer, "soon").at(1) ==
        "The promise was fulfilled already, with undefined: so it became a microtask at once.");

  // The reaction to a promise that follows another one runs after a reaction scheduled later.
  const auto overtaken = explainer_of(R"({
    "main": [
      { "promise": "inner", "do": [ { "resolve": "inner" } ] },
      { "promise": "outer", "do": [ { "resolve": "outer", "with": "{inner}" } ] },
      { "then": "outer", "do": [], "as": "first" }, { "then": null, "do": [], "as": "second" }
    ]
  })");
  CHECK(about(*overtaken, "first").at(1).find("second was asked for later and yet came first") == 0);
  CHECK(about(*overtaken, "first")
            .at(2)
            .find("Within main, at 0.000, the promise was resolved with another one that was "
                  "settled already. That takes two microtasks more") == 0);
  // Where nothing follows a promise, nothing takes longer.
  const auto chains = explainer_of(R"({ "main": [
    { "then": null, "do": [], "as": "a1" }, { "then": "a1", "do": [], "as": "a2" }, { "then": null, "do": [], "as": "b1" } ] })");
  CHECK(
      about(*chains, "a2") ==
      Lines{
          "a2 was attached at 0.000 by main with then() to the promise of a1: it becomes a microtask when that is "
          "settled.",
          "b1 was asked for later and yet came first: microtasks run in the order in which they are queued, and it was "
          "queued before the promise of this one was settled.",
          "a1 returned undefined at 0.000: that fulfilled its promise.",
          "After main Node emptied its queues: all ticks, then the microtasks, in the order in which they were queued. "
          "So "
          "it ran at 0.000."});
}

namespace {
// The sentences on what this callback waited for, or why it never ran.
Lines reasons(const Explainer& explainer, std::string_view label) {
  Lines lines;
  for (const std::uint64_t id : explainer.callbacks()) {
    const Explanation explanation = explainer.explanation(id);
    if (explanation.label != label) continue;
    for (const ExplanationSentence& sentence : explanation.sentences) {
      const ExplanationRule& rule = explanation_rules()[sentence.rule];
      const bool is_reason = rule.part == ExplanationPart::waited || rule.part == ExplanationPart::never;
      if (is_reason && rule.key != "promise-later") lines.push_back(format_sentence(sentence));
    }
  }
  return lines;
}
}  // namespace

TEST_CASE("each way in which a promise is settled is told by who did it, with what, and how many microtasks it takes",
          "[explain]") {
  const auto explainer = explainer_of(kPromiseWays);
  const auto said = [&](std::string_view label) { return reasons(*explainer, label); };
  const std::string two = "That takes two microtasks more than a plain value: one calls ";
  CHECK(said("handler.catch") ==
        Lines{"handler handles no rejection: a microtask passed it on to the promise of handler."});
  CHECK(said("handler") == Lines{"It never ran: the promise was rejected, at 0.000, and this is for a value."});
  CHECK(said("both.rejected") ==
        Lines{"It never ran: the promise was fulfilled, at 0.000, and this is for a rejection."});
  CHECK(said("both") == Lines{"The promise was fulfilled already, with 7: so it became a microtask at once."});
  CHECK(said("settled") ==
        Lines{"Within main, at 0.000, the promise was resolved with another one that was settled already. " + two +
              "the then() of the other one, the next one settles this one."});
  CHECK(said("pending") ==
        Lines{"Within main, at 0.000, the promise was resolved with another one. When that is settled, a "
              "microtask more settles this one.",
              "last fulfilled late at 7.000, with undefined."});
  CHECK(said("a") == Lines{"timer fulfilled p at 5.000, with 'x'."});
  CHECK(said("b") == Lines{"a returned a promise at 5.000 that was settled already. " + two +
                           "its then(), the next one settles the promise of a."});
  CHECK(said("c") ==
        Lines{"b returned a promise at 5.000. When that is settled, a microtask more settles the promise of b.",
              "last fulfilled late at 7.000, with undefined."});
  CHECK(said("d") == Lines{"It never ran: the promise was rejected, at 7.000, and this is for a value."});
  CHECK(said("e") == Lines{"d handles no rejection: a microtask passed it on to the promise of d.",
                           "c threw Error: oops at 7.000: that rejected its promise."});
  CHECK(said("f") == Lines{"e returned undefined at 7.000: that fulfilled its promise."});
  CHECK(said("g") ==
        Lines{"f returned at 7.000. finally() waits for what its callback returns, and then passes on the outcome "
              "from before: that takes three microtasks."});
  CHECK(said("i") == Lines{"h handles rejections only: a microtask passed the value on to the promise of h.",
                           "other fulfilled q at 6.000, with undefined."});
  CHECK(said("j") ==
        Lines{"i returned a promise at 6.000. finally() waits for it, and then passes on the outcome from before."});
  CHECK(said("refused") == Lines{"other rejected r at 6.000, with Error: no."});
  CHECK(said("k") == Lines{"It never ran: by the end, at 7.000, its promise was not settled."});
  CHECK(said("l") == Lines{"It never ran: by the end, at 7.000, the promise of k was not settled."});
  CHECK(said("race") == Lines{"Promise.race() needed only one of its promises: timer settled that one at 5.000, and a "
                              "microtask took note of it."});
  CHECK(said("all") ==
        Lines{"Promise.all() needed all of its 3 promises: last settled the last one at 7.000, and a microtask "
              "took note of it."});
  CHECK(said("first_before") ==
        Lines{"Promise.race() needed only one of its promises. That one was settled already when "
              "Promise.race() was called; a microtask took note of it."});
  CHECK(said("last_before") ==
        Lines{"Promise.all() needed all of its 2 promises. The last one was settled already when "
              "Promise.all() was called; a microtask took note of it."});
  CHECK(said("cleared") == Lines{"It never ran: main cleared it at 0.000."});
}

TEST_CASE("an await is told by the function that it waits for, and by what a version does", "[explain]") {
  const auto now = explainer_of(kAwaitWays, "node-24");
  CHECK(reasons(*now, "waiter") ==
        Lines{"The async function sleeper returned 3 at 5.000: that fulfilled its promise."});
  CHECK(reasons(*now, "caught") ==
        Lines{"The async function thrower threw Error: oops at 5.000: that rejected its promise."});
  CHECK(reasons(*now, "sleeper") == Lines{"timer fulfilled p at 5.000, with undefined."});
  CHECK(reasons(*now, "soon") ==
        Lines{"The promise was fulfilled already, with undefined: so it became a microtask at once."});
  CHECK(reasons(*now, "slept").at(0).find("was done at 2.000: Node then fulfilled its promise, with undefined.") !=
        std::string::npos);

  const auto before = explainer_of(kAwaitWays, "node-10");
  CHECK(reasons(*before, "soon") ==
        Lines{"Up to Node 11, await makes a promise of its own and resolves it with the one that it "
              "was given, which was settled already: that takes two microtasks more than in later "
              "versions."});
  CHECK(reasons(*before, "waiter").at(0).find("Up to Node 11, await makes a promise of its own") == 0);
  CHECK(reasons(*before, "waiter").at(1) ==
        "The async function sleeper returned 3 at 5.000: that fulfilled its promise.");
}

TEST_CASE("of a timer that is cleared in its own callback it is said that this was the last round, or too late",
          "[explain]") {
  for (const char* const runtime : {"node-4", "node-10", "node-24"}) {
    const auto explainer = explainer_of(kReturnsPromise, runtime);
    CHECK(about(*explainer, "timer").back() ==
          "timer cleared it at 5.000, while this callback was running: so this was the last round.");
  }
  CHECK(about(*explainer_of(kPromiseWays), "last").back() ==
        "last cleared it at 7.000, which changed nothing: its callback was running already.");
}

TEST_CASE("a refresh of an interval by its own callback is no round of it", "[explain]") {
  const std::string scenario = R"({"main": [{"set": {"n": 0}}, {"setInterval": 5, "as": "t", "do": [{"add": {"n": 1}},
      {"if": ["n", "==", 1], "then": [{"refresh": "t"}]}, {"if": ["n", ">=", 3], "then": [{"clear": "t"}]}]}]})";
  // The rounds that ran, told by who asked for them, and from when they count.
  const auto asked = [](const Explainer& explainer) {
    Lines lines;
    for (const std::uint64_t id : explainer.callbacks()) {
      const Explanation explanation = explainer.explanation(id);
      if (explanation.label != "t" || explanation.begin == 0) continue;
      for (std::size_t i = 0; i < 2; ++i) lines.push_back(format_sentence(explanation.sentences.at(i)));
    }
    lines.erase(lines.begin(), lines.begin() + 2);
    return lines;
  };
  CHECK(asked(*explainer_of(scenario, "node-24")) ==
        Lines{"t is round 2 of an interval of 5 ms, which was armed at 0.000 by main.",
              "A round is counted from just before the callback of the round before it, at 5.000: due 10.000.",
              "t is round 3 of an interval of 5 ms, which was armed at 0.000 by main.",
              "A round is counted from just before the callback of the round before it, at 10.000: due 15.000."});
}

TEST_CASE("a trace that was made by hand is explained as far as it goes", "[explain]") {
  const auto polls = explainer_of_trace(polls_by_hand("node-24"));
  CHECK(about(*polls, "heard") == Lines{"heard listens for 'drain': main added it.",
                                        "What it listens for happened at 1.000.",
                                        "Poll did not sleep: callbacks were waiting for the pending phase.",
                                        "Poll of turn 4 found it and called it at 1.000."});
  const auto late = explainer_of_trace(late_by_hand("node-24"));
  CHECK(about(*late, "timer").at(1) ==
        "At 1.000 the loop was awake already, and had other phases to go through first.");
  CHECK(about(*late, "heard").at(2) == "At 2.000 the loop was awake already, and timer came first.");
  CHECK(about(*late, "called") == Lines{"called was asked for by timer.", "It ran at 3.000, in the check phase.",
                                        "timer ran at 3.000; main had asked for it at 0.000."});
}

TEST_CASE("of a reaction that nobody asked for in the trace nothing is said of its promise", "[explain]") {
  TraceLines lines("node-24");
  lines.add(0, "main", R"("ev":"callback_begin","api":"main","id":1,"name":"main")");
  lines.add(0, "main", R"("ev":"schedule","api":"queueMicrotask","id":2,"name":"task","by":1,"as":"first")");
  lines.add(0, "main", R"("ev":"enqueue","queue":"microtasks","api":"queueMicrotask","id":2,"name":"task","by":1)");
  lines.add(0, "main", R"("ev":"enqueue","queue":"microtasks","api":"then","id":3,"name":"reaction","by":1)");
  lines.add(0, "main", R"("ev":"callback_end","api":"main","id":1,"name":"main","how":"normal")");
  lines.add(0, "main", R"("ev":"drain_begin","ticks":0,"microtasks":2)");
  lines.add(0, "main", R"("ev":"callback_begin","api":"queueMicrotask","id":2,"name":"task","by":1)");
  lines.add(0, "main", R"("ev":"callback_end","api":"queueMicrotask","id":2,"name":"task","how":"normal")");
  lines.add(0, "main", R"("ev":"callback_begin","api":"then","id":3,"name":"reaction","by":1)");
  lines.add(0, "main", R"("ev":"callback_end","api":"then","id":3,"name":"reaction","how":"normal")");
  lines.add(0, "main", R"("ev":"drain_end")");
  CHECK(
      about(*explainer_of_trace(lines.exit(0).text()), "reaction") ==
      Lines{
          "reaction was asked for by main.",
          "After main Node emptied its queues: all ticks, then the microtasks, in the order in which they were queued. "
          "So it ran at 0.000."});
}

TEST_CASE("that a timer was not due yet is said only where the loop began without it", "[explain]") {
  const std::string early = R"({"main": [{"setTimeout": 2, "as": "timer", "do": []}, {"setImmediate": []}]})";
  const std::string later = R"({"main": [{"setImmediate": [{"setTimeout": 2, "as": "timer", "do": []}], "as": "i"}]})";
  const std::string slept = "Poll slept from 0.000 to 2.000, until timer, the nearest timer, was due.";
  const std::vector<std::pair<const char*, int>> turns = {{"node-10", 3}, {"node-18", 3}, {"node-24", 2}};
  for (const auto& [runtime, turn] : turns) {
    INFO(runtime);
    const std::string ran = fmt::format("The timers phase of turn {} ran it at 2.000, on time.", turn);
    CHECK(about(*explainer_of(early, runtime), "timer") ==
          Lines{"timer was armed at 0.000 by main for 2 ms, due 2.000.", slept,
                "When the loop began, at 0.000, it was not due yet.", ran});
    // Here the preceding callback is the immediate that armed the timer.
    CHECK(about(*explainer_of(later, runtime), "timer") == Lines{"timer was armed at 0.000 by i for 2 ms, due 2.000.",
                                                                 slept, ran,
                                                                 "i ran at 0.000; main had asked for it at 0.000."});
  }
}

TEST_CASE("explanations in JSON: only the rules that are used, numbered by that list", "[explain]") {
  const auto explainer = explainer_of(R"({ "main": [ { "nextTick": [], "as": "tick" } ] })");
  const nlohmann::json json = nlohmann::json::parse(explanations_json(explainer->explanations()));
  CHECK(json["callbacks"].size() == 2);
  CHECK(json["rules"].size() == 4);
  const nlohmann::json& tick = json["callbacks"][1];
  CHECK(tick["name"] == "tick (nextTick)");
  CHECK(json["rules"][tick["sentences"][0][0].get<std::size_t>()]["key"] == "tick-queued");
  CHECK(tick["sentences"][0][2] == nlohmann::json::parse(R"(["tick", 2])"));
  CHECK(tick["sentences"][0][3] == "0.000");
  StringOutput pieces;
  write_explanations_json(*explainer, pieces);
  CHECK(pieces.text() == explanations_json(explainer->explanations()));
  CHECK(explanations_json({}) == R"({"rules":[],"callbacks":[]})");
}
