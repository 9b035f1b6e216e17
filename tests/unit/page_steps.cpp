// Programs of pages that are steps. Their order is judged by real browsers (scenarios/browser, tools/conformance/web-programs); here it is
// what the trace calls them, and what they share with the same steps in Node.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/simulate.hpp"

using loopsim::EventKind;
using loopsim::testing::Kept;
using loopsim::testing::Run;
using loopsim::testing::simulate;
using Lines = std::vector<std::string>;

namespace {

// "name line:column" of what was asked for, in order.
Lines asked(const Run& run) {
  Lines lines;
  for (const Kept& kept : run.events) {
    if (kept.event.kind != EventKind::schedule) continue;
    lines.push_back(kept.name + " " + std::to_string(kept.event.line) + ":" + std::to_string(kept.event.column));
  }
  return lines;
}

constexpr const char* kBoth =
    "{ \"seed\": 5, \"functions\": { \"f\": [ { \"log\": \"f at {now}\" } ] }, \"main\": [\n"
    "  { \"setTimeout\": { \"uniform\": [1, 50] }, \"as\": \"drawn\", \"do\": \"f\" },\n"
    "  { \"setTimeout\": 20, \"do\": [ { \"queueMicrotask\": [ { \"log\": \"of the timer\" } ] } ] },\n"
    "  { \"async\": [ { \"await\": { \"setTimeout\": 10, \"as\": \"wait\" } }, { \"log\": \"behind\" } ], \"as\": "
    "\"g\" },\n"
    "  { \"then\": null, \"do\": [ { \"throw\": \"x\" } ], \"catch\": [ { \"log\": \"caught {error.message}\" } ], "
    "\"as\": \"p\" } ] }";

}  // namespace

TEST_CASE("steps of a page have the names and places of the document, as in Node", "[page]") {
  const Run page = simulate(kBoth, "chrome"), node = simulate(kBoth, "node-24");
  Lines expected = asked(node);
  CHECK(expected[2] == "wait 4:16");  // of a timer that is awaited a page knows the place of its own
  expected[2] = "wait 4:27";
  CHECK(asked(page) == expected);
  CHECK(page.callbacks == node.callbacks);
  CHECK(page.output == node.output);
}

TEST_CASE("steps of a page cost nothing on a machine where JavaScript does", "[page]") {
  const std::string text =
      R"({"machine": {"overhead": {"jumps": "1ms"}}, "main": [{"repeat": 2000, "do": [{"set": {"x": 1}}]}, {"cpu": "2ms"},
          {"spin": "3ms"}, {"log": "{now}"}]})";
  CHECK(simulate(text, "chrome").output == Lines{"5"});
  CHECK(simulate(text, "node-24").output == Lines{"5"});
}

TEST_CASE("the limit of steps bounds the steps of a page, and waiting is one", "[page]") {
  const Run endless = simulate(R"({"runtime": "chrome", "main": [{"repeat": 1e12, "do": [{"set": {"x": 1}}]}]})");
  CHECK(endless.summary.limit == loopsim::LimitKind::steps);
  const Run patient = simulate(R"({"runtime": "chrome", "main": [{"spin": "2000s"}, {"log": "{now}"}]})");
  CHECK(patient.summary.limit == loopsim::LimitKind::none);
  CHECK(patient.output == Lines{"2000000"});
  const auto spun =
      std::ranges::find(patient.events, EventKind::burn, [](const Kept& kept) { return kept.event.kind; });
  REQUIRE(spun != patient.events.end());
  CHECK(static_cast<loopsim::BurnKind>(spun->event.detail) == loopsim::BurnKind::spin);
}

TEST_CASE("a page hears what was posted, and what servers answer", "[page]") {
  const Run run = simulate(R"({
    "runtime": "chrome",
    "answers": {"/a": {"text": "text of a", "takes": {"choice": [7]}}, "/gone": {"status": 0, "takes": "3ms"}},
    "functions": {"heard": {"parameters": ["what"], "do": [{"log": "function heard {what}"}]}},
    "main": [
      {"addEventListener": "window", "event": "message", "do": [{"log": "heard {value}"}], "as": "inline"},
      {"addEventListener": "window", "event": "message", "do": "heard", "once": true, "as": "named"},
      {"postMessage": "one"}, {"postMessage": "two"},
      {"then": {"fetch": "/a"}, "do": [{"log": "{value} at {now}"}]},
      {"then": {"fetch": "/gone"}, "catch": [{"log": "{error.message} at {now}"}]},
      {"then": {"fetch": "/none"}, "catch": [{"log": "{error.message} at {now}"}]}
    ]})");
  CHECK(run.output == Lines{"heard one", "function heard one", "heard two", "Failed to fetch at 0",
                            "Failed to fetch at 3", "text of a at 7"});
}

TEST_CASE("frames, idle callbacks and tasks are taken back, and tasks come by their priorities", "[page]") {
  const Run run = simulate(R"({
    "runtime": "chrome",
    "main": [
      {"requestAnimationFrame": [{"log": "never"}], "as": "frame"},
      {"requestIdleCallback": [{"log": "never"}], "as": "idle"},
      {"clear": "frame"}, {"clear": "idle"},
      {"postTask": "background", "do": [{"log": "background"}]},
      {"postTask": "user-visible", "do": [{"log": "visible"}, {"return": 1}], "as": "task"},
      {"postTask": "user-blocking", "do": [{"log": "blocking"}], "delay": 0},
      {"async": [{"await": "task", "as": "x"}, {"log": "task gave {x}"}, {"await": {"yield": null}}, {"log": "yielded"}]}
    ]})");
  CHECK(run.output == Lines{"blocking", "visible", "task gave 1", "yielded", "background"});
}

// Measured in Chromium 156 and Firefox 153: an animation that computes 20 ms in each frame runs every 20 to 21 ms, and its times step 17,
// now and then 33; with the request before the computation or behind it.
TEST_CASE("a frame that comes late begins when the thread is free, with the time of the last opportunity", "[page]") {
  const auto run = [](const std::string& steps) {
    return simulate(
        R"({"runtime": "chrome", "functions": {"draw": {"parameters": ["at"], "do": [)" + steps +
        R"(, {"log": "{at} at {now}"}, {"add": {"n": 1}}]}}, "main": [{"set": {"n": 0}}, {"requestAnimationFrame": "draw"}]})");
  };
  const std::string ask = R"({"if": ["n", "<", 6], "then": [{"requestAnimationFrame": "draw"}]})",
                    work = R"({"cpu": "20ms"})";
  const Lines expected = {"16.666667 at 36",  "33.333334 at 56",   "50.000001 at 76",  "66.666668 at 96",
                          "83.333335 at 116", "100.000002 at 136", "133.333336 at 156"};
  CHECK(run(ask + ", " + work).output == expected);
  CHECK(run(work + ", " + ask).output == expected);
}

TEST_CASE("an opportunity that nobody wanted is over, unless it passed while the thread was busy with what asks",
          "[page]") {
  const auto frame_after = [](const std::string& steps) {
    return simulate(R"({"runtime": "chrome", "main": [{"setTimeout": 40, "do": [)" + steps +
                    R"(, {"requestAnimationFrame": [{"log": "{value} at {now}"}]}]}]})")
        .output;
  };
  CHECK(frame_after(R"({"cpu": "1ms"})") == Lines{"50.000001 at 50"});
  CHECK(frame_after(R"({"cpu": "30ms"})") == Lines{"66.666668 at 70"});
}
