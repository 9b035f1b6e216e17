// Races: which pairs of callbacks are marked as a matter of chance, and which are not.

#include "loopsim/races.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "loopsim/writers.hpp"

#include "tests/support/simulate.hpp"

using namespace loopsim;

namespace {

struct Look {
  RacesResult result;
  std::vector<std::string> words;
};

Look look_at(const std::string& members, const ReadOptions& options = {}) {
  const ReadResult read = read_scenario("{" + members + "}", "test.json", options);
  REQUIRE(read.scenario);
  const CompileResult compiled = compile(*read.scenario);
  REQUIRE(compiled.program);
  Look look{find_races(*read.scenario, *compiled.program), {}};
  for (const Race& race : look.result.races) look.words.push_back(race_words(race, look.result));
  return look;
}

constexpr const char* kTimeoutOrImmediate =
    R"("main": [{"setTimeout": 0, "as": "timeout", "do": []}, {"setImmediate": [], "as": "immediate"}])";

}  // namespace

// Which of the two is first is Node's own example of an order that is not determined
// (https://nodejs.org/en/learn/asynchronous-work/event-loop-timers-and-nexttick). Real Node 20, 40 processes: timeout
// first in 7.
TEST_CASE("setTimeout 0 and setImmediate race", "[races]") {
  const Look look = look_at(kTimeoutOrImmediate);
  REQUIRE(look.result.races.size() == 1);
  const Race& race = look.result.races.front();
  CHECK(race.first.label == "immediate");
  CHECK(race.second.label == "timeout");
  CHECK(race.reason == RaceReason::close);
  CHECK(race.both == 50);
  CHECK(race.turned > 0);
  CHECK(race.turned < 15);
  CHECK(look.words.front() == "a race with immediate: on laptop it comes first in " + std::to_string(race.turned) +
                                  " of 50 runs");
  CHECK_FALSE(look.result.is_beginning);
}

// The first line of output takes a real Node 2.2 ms, in which the timer comes due: 40 of 40 processes of Node 20.
TEST_CASE("a line of output in the main script lets the timer come first", "[races]") {
  const Look look = look_at(R"("main": [{"setTimeout": 0, "as": "timer", "do": []},
    {"setImmediate": [], "as": "immediate"}, {"log": "main"}])");
  CHECK(look.words == std::vector<std::string>{"on laptop it comes before immediate, in 50 of 50 runs"});
}

// Real Node 20: the timer first in 38 of 40 processes.
TEST_CASE("a request without a duration is no sure first", "[races]") {
  const Look look = look_at(R"("main": [{"setTimeout": 0, "as": "timer", "do": []},
    {"fs": "readFile", "as": "file", "do": [{"setImmediate": [], "as": "next"}]}])");
  REQUIRE(look.result.races.size() == 1);  // `next` is asked for by the file: its place follows
  CHECK(look.result.races.front().reason == RaceReason::no_duration);
  CHECK(look.result.races.front().untimed == "file");
  CHECK(look.words.front().ends_with("; file has no \"takes\" here, so it takes no time"));
}

TEST_CASE("two that are due at the same time race", "[races]") {
  const Look look = look_at(R"("main": [{"fs": "stat", "takes": "10ms", "as": "one", "do": []},
    {"fs": "stat", "takes": "10ms", "as": "two", "do": []}])");
  REQUIRE(look.result.races.size() == 1);
  CHECK(look.result.races.front().reason == RaceReason::same_time);
  CHECK(look.words.front().ends_with("; here both are due at the same time"));
}

TEST_CASE("no race where a rule of the loop decides, or the times are far apart", "[races]") {
  CHECK(look_at(R"("main": [{"fs": "stat", "takes": "1ms", "as": "file", "do": [
    {"setTimeout": 0, "as": "timeout", "do": []}, {"setImmediate": [], "as": "immediate"}]}])")
            .result.races.empty());
  CHECK(look_at(R"("main": [{"setTimeout": 5, "do": []}, {"setTimeout": 5, "do": []}, {"setTimeout": 9, "do": []}])")
            .result.races.empty());
  const Look apart = look_at(R"("main": [{"fs": "stat", "takes": "50ms", "do": []}, {"setTimeout": 5, "do": []}])");
  CHECK(apart.result.races.empty());
  CHECK(apart.result.runs == 16);
}

TEST_CASE("what a scenario says of its machine does not vary", "[races]") {
  const std::string main = kTimeoutOrImmediate;
  CHECK(look_at(R"("machine": "ideal", )" + main).result.runs == 0);
  CHECK(look_at(R"("machine": {"startup": "3ms"}, )" + main).result.races.empty());
  // A machine of its own varies by itself.
  const Look server = look_at(R"("machine": "server", )" + main);
  CHECK(server.result.machine == "server");
  CHECK(server.result.races.size() == 1);
  const Look custom = look_at(R"("machine": {"preset": "ideal", "startup": {"uniform": ["0ms", "2ms"]}}, )" + main);
  CHECK(custom.result.machine == "custom");
  CHECK(custom.result.races.size() == 1);
  // A program that is random itself is its author's matter.
  CHECK(look_at(R"("main": [{"fs": "stat", "takes": {"exponential": "5ms"}, "do": []}, {"setTimeout": 5, "do": []}])")
            .result.runs == 0);
}

TEST_CASE("only the begin of a long run is looked at", "[races]") {
  const Look look = look_at(R"("main": [{"setInterval": 1, "as": "tick", "do": []},
    {"fs": "stat", "takes": "1ms", "as": "file", "do": []}])");
  CHECK(look.result.is_beginning);
  CHECK(look.result.runs == 10);  // 400 callbacks each
  REQUIRE(look.result.races.size() == 1);
  const Look endless = look_at(R"("main": [{"def": "again", "do": [{"nextTick": "again"}]}, {"call": "again"}])");
  CHECK(endless.result.races.empty());
}

TEST_CASE("notes stand at the second callback of a race, ordered", "[races]") {
  const ReadResult read = read_scenario("{" + std::string(kTimeoutOrImmediate) + "}", "test.json", {});
  const CompileResult compiled = compile(*read.scenario);
  const RacesResult result = find_races(*read.scenario, *compiled.program);
  const std::vector<CallbackNote> notes = notes_of(result);
  REQUIRE(notes.size() == 1);
  CHECK(notes.front().id == result.races.front().second.id);
  CHECK(notes_on(notes, notes.front().id).size() == 1);
  CHECK(notes_on(notes, notes.front().id + 1).empty());

  StringOutput text;
  const auto writer = make_text_writer(text, {.notes = notes});
  const std::array<TraceSink*, 1> sinks = {writer.get()};
  run(*compiled.program, sinks);
  CHECK(text.text.find("▶ timeout (setTimeout)\n                          ⇄ a race with immediate: on laptop") !=
        std::string::npos);
}

TEST_CASE("the table of what varies says what the machine laptop has", "[races]") {
  ReadOptions options;
  nlohmann::ordered_json machine = nlohmann::ordered_json::object();
  for (const MachineUncertainty& one : machine_uncertainties())
    (one.is_overhead ? machine["overhead"] : machine)[std::string(one.key)] = nlohmann::ordered_json::parse(one.value);
  options.overrides.emplace_back("/machine", machine.dump());
  const std::string document = "{" + std::string(kTimeoutOrImmediate) + "}";
  const ReadResult read = read_scenario(document, "test.json", options);
  REQUIRE(read.scenario);
  const MachineSpec varied = varied_machine(MachineSpec{}, MachineGiven{});
  const MachineSpec& said = read.scenario->machine;
  const auto equal = [](const Duration& a, const Duration& b) {
    return a.kind == b.kind && a.a == b.a && a.b == b.b && a.shape == b.shape;
  };
  CHECK(equal(said.startup, varied.startup));
  CHECK(equal(said.wakeup, varied.wakeup));
  CHECK(equal(said.clock_phase, varied.clock_phase));
  CHECK(equal(said.overhead.callback, varied.overhead.callback));
  CHECK(equal(said.overhead.task, varied.overhead.task));
  CHECK(equal(said.overhead.turn, varied.overhead.turn));
  CHECK(equal(said.overhead.poll, varied.overhead.poll));
  CHECK(equal(said.overhead.timer, varied.overhead.timer));
  CHECK(equal(said.overhead.log, varied.overhead.log));
  CHECK(equal(said.overhead.first_log, varied.overhead.first_log));
  CHECK(equal(said.overhead.request, varied.overhead.request));
  CHECK_FALSE(leaves_machine_open(read.scenario->machine_given));
  CHECK(leaves_machine_open(MachineGiven{}));
}
