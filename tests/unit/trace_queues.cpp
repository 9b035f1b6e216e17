// The queues in the output of `run --verbose`.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/trace/queues.hpp"
#include "tests/support/simulate.hpp"

using namespace loopsim;
using namespace loopsim::testing;

namespace {

using Rows = std::vector<std::string>;

// The rows of a run that show queues: "poll: timers ...". A row without a phase belongs to the phase above.
Rows queue_rows(const std::string& scenario, const std::string& runtime = "") {
  StringOutput output;
  const auto writer = make_text_writer(output, {.width = 1000, .summary = false, .queues = true});
  TraceSink* const sinks[] = {writer.get()};
  run(*compile_text(scenario, runtime), sinks);
  Rows rows;
  std::string phase;
  const std::string& text = output.text();
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    if (line.size() > 12 && line.find("──") != 0 && line[12] != ' ') phase = line.substr(12, line.find(' ', 12) - 12);
    const std::size_t mark = line.find("≡ ");
    if (mark != std::string::npos) rows.push_back(phase + ": " + line.substr(mark + std::string("≡ ").size()));
  }
  return rows;
}

}  // namespace

TEST_CASE("timers stand in a list for each length, the earliest list first", "[trace][queues]") {
  CHECK(
      queue_rows(R"({
    "main": [
      { "setTimeout": 10, "as": "a", "do": [] }, { "setTimeout": 5, "as": "b", "do": [] }, { "setTimeout": 10, "as": "c", "do": [] },
      { "setTimeout": 7, "as": "gone", "do": [] }, { "clear": "gone" },
      { "setTimeout": 50, "as": "quiet", "do": [] }, { "unref": "quiet" }
    ]
  })") ==
      Rows{
          "poll: timers     [5 ms] b due 5.000  [10 ms] a due 10.000, c due 10.000  [50 ms] quiet due 50.000 (unref'd)",
          "timers: timers     [5 ms] b due 5.000  [10 ms] a due 10.000, c due 10.000  [50 ms] quiet due 50.000 "
          "(unref'd)",
          "poll: timers     [10 ms] a due 10.000, c due 10.000  [50 ms] quiet due 50.000 (unref'd)",
          "timers: timers     [10 ms] a due 10.000, c due 10.000  [50 ms] quiet due 50.000 (unref'd)"});
}

TEST_CASE("the pool: who has a thread and who waits, lookups with half of them", "[trace][queues]") {
  const Rows rows = queue_rows(R"({
    "runtime": { "profile": "node-24", "threadpool": 2 },
    "main": [
      { "dns": "lookup", "takes": "5ms", "as": "name1", "do": [] }, { "dns": "lookup", "takes": "5ms", "as": "name2", "do": [] },
      { "fs": "stat", "takes": "2ms", "as": "file", "do": [] }, { "crypto": "pbkdf2", "cpu": "9ms", "as": "key", "do": [] },
      { "dns": "resolve", "takes": "1ms", "as": "address", "do": [] }
    ]
  })");
  REQUIRE(rows.size() >= 5);
  CHECK(rows[0] == "poll: pool       2 of 2 threads: name1, file; waiting: name2, key");
  CHECK(rows[1] == "poll: network    address");
  CHECK(rows[2] == "poll: pool       2 of 2 threads: name1, file; waiting: name2, key");
  CHECK(rows[3] == "poll: pool       2 of 2 threads: name1, key; waiting: name2");
}

TEST_CASE("a file that is read in several requests queues anew for each", "[trace][queues]") {
  const Rows rows = queue_rows(R"({
    "runtime": { "profile": "node-24", "threadpool": 1 },
    "main": [ { "fs": "readFile", "takes": "4ms", "as": "big", "do": [] }, { "fs": "stat", "takes": "1ms", "as": "small", "do": [] } ]
  })");
  REQUIRE(rows.size() >= 3);
  CHECK(rows[0] == "poll: pool       1 of 1 threads: big; waiting: small");
  CHECK(rows[1] == "poll: pool       1 of 1 threads: small; waiting: big");
  CHECK(rows[2] == "poll: pool       1 of 1 threads: big");
}

TEST_CASE("ticks and microtasks by name, those of Node by their functions", "[trace][queues]") {
  CHECK(queue_rows(R"({
    "main": [
      { "nextTick": [], "as": "tick" }, { "queueMicrotask": [], "as": "task" }, { "then": null, "do": [], "as": "reaction" },
      { "listen": 80 }, { "setImmediate": [], "as": "soon" }, { "exit": 0 }
    ]
  })")
            .empty());
  const Rows rows = queue_rows(R"({
    "main": [
      { "nextTick": [], "as": "tick" }, { "queueMicrotask": [], "as": "task" }, { "then": null, "do": [], "as": "reaction" },
      { "spawn": "sleep", "takes": "1ms", "as": "child", "on": { "spawn": [] } }, { "setImmediate": [], "as": "soon" }
    ]
  })");
  REQUIRE(rows.size() >= 3);
  CHECK(rows[0] == "main: ticks      tick, onSpawnNT (child)");
  CHECK(rows[1] == "main: microtasks task, reaction");
  CHECK(rows[2] == "poll: immediates soon");
}

TEST_CASE("a long queue is told by its first names", "[trace][queues]") {
  std::string steps;
  for (int i = 1; i <= 11; ++i)
    steps += (i == 1 ? "" : ", ") + std::string(R"({ "setImmediate": [], "as": "i)") + std::to_string(i) + R"(" })";
  CHECK(queue_rows(R"({ "main": [ )" + steps + " ] }").front() ==
        "poll: immediates i1, i2, i3, i4, i5, i6, i7, i8 and 3 more");
}
