// Races: which pairs of callbacks are marked as a matter of chance, and which are not.

#include "loopsim/races.hpp"

#include <array>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "loopsim/explain.hpp"
#include "loopsim/machine_variation.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/writers.hpp"

#include "tests/support/explanation_rules.hpp"

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
  for (const Race& race : look.result.races) look.words.push_back(race_words(race));
  return look;
}

constexpr const char* kTimeoutOrImmediate =
    R"("main": [{"setTimeout": 0, "as": "timeout", "do": []}, {"setImmediate": [], "as": "immediate"}])";

}  // namespace

// Which of the two is first is Node's own example of an order that is not determined
// (https://nodejs.org/en/learn/asynchronous-work/event-loop-timers-and-nexttick). The shares of real Node, 200 processes
// of each version: docs/machine-presets.md, "Start-up in different versions".
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
  CHECK(look.words.front() ==
        "a race with immediate: on laptop timeout is first in " + std::to_string(race.turned) + " of 50 runs");
  CHECK(race_share(race) ==
        "on laptop timeout comes before immediate in " + std::to_string(race.turned) + " of 50 runs");
  CHECK_FALSE(look.result.is_beginning);
}

// 82 % in Node 18, 57 % in Node 10, 6 % in Node 22.
TEST_CASE("the start-up that a scenario leaves open is that of its version of Node", "[races]") {
  const auto turned = [](const char* runtime) {
    const Look look = look_at(kTimeoutOrImmediate, {.overrides = {}, .runtime = runtime, .seed = {}});
    REQUIRE(look.result.races.size() == 1);
    return look.result.races.front().turned;
  };
  CHECK(turned("node-18") > 30);
  CHECK(turned("node-10") > 15);
  CHECK(turned("node-10") < 40);
  CHECK(turned("node-22") < 15);
}

// The first line of output takes a real Node 2 ms, in which the timer comes due: in 40 of 40 processes of Node 20.
TEST_CASE("a line of output in the main script lets the timer come first", "[races]") {
  const Look look = look_at(R"("main": [{"setTimeout": 0, "as": "timer", "do": []},
    {"setImmediate": [], "as": "immediate"}, {"log": "main"}])");
  CHECK(look.words == std::vector<std::string>{"a race with immediate: on laptop timer is first in 50 of 50 runs"});
}

// The timer first in 40 of 40 processes of Node 20, in the second and in the first turn of the loop.
TEST_CASE("a request without a duration is no sure first", "[races]") {
  const Look look = look_at(R"("main": [{"setTimeout": 0, "as": "timer", "do": []},
    {"fs": "readFile", "as": "file", "do": [{"setImmediate": [], "as": "next"}]}])");
  REQUIRE(look.result.races.size() == 1);  // `next` is asked for by the file: its place follows
  CHECK(look.result.races.front().reason == RaceReason::no_duration);
  CHECK(look.result.races.front().untimed == "file");
  CHECK(look.words.front().ends_with("; file has no \"takes\" here: no time"));
  // A request within another step.
  const auto awaited = [](const std::string& takes) {
    const Look found = look_at(R"("main": [{"setTimeout": 1, "as": "timer", "do": []},
      {"async": [{"await": {"fs": "readFile")" +
                               takes + "}}]}]");
    REQUIRE(found.result.races.size() == 1);
    return found.result.races.front().reason;
  };
  CHECK(awaited("") == RaceReason::no_duration);
  CHECK(awaited(R"(, "takes": "0.5ms")") == RaceReason::close);
  // A time of none that the document says is no missing one.
  const Look said = look_at(R"("main": [{"setTimeout": 0, "as": "timer", "do": []},
    {"fs": "stat", "takes": "0ms", "as": "file", "do": []}])");
  REQUIRE(said.result.races.size() == 1);
  CHECK(said.result.races.front().reason == RaceReason::close);
}

// Real Node 20 swapped 1.3 % of 2000 pairs of fs.stat: the second is asked for while a thread begins the first.
TEST_CASE("two that are due at the same time race", "[races]") {
  const Look look = look_at(R"("main": [{"fs": "stat", "takes": "10ms", "as": "one", "do": []},
    {"fs": "stat", "takes": "10ms", "as": "two", "do": []}])");
  REQUIRE(look.result.races.size() == 1);
  const Race& race = look.result.races.front();
  CHECK(race.reason == RaceReason::same_time);
  CHECK(race.due == 10'000'000);
  CHECK(race.turned < 10);
  CHECK(look.words.front().ends_with("; here both are due at the same time"));
}

TEST_CASE("no race where a rule of the loop decides, or the times are far apart", "[races]") {
  CHECK(look_at(R"("main": [{"fs": "stat", "takes": "1ms", "as": "file", "do": [
    {"setTimeout": 0, "as": "timeout", "do": []}, {"setImmediate": [], "as": "immediate"}]}])")
            .result.races.empty());
  CHECK(look_at(R"("main": [{"setTimeout": 5, "do": []}, {"setTimeout": 5, "do": []}, {"setTimeout": 9, "do": []}])")
            .result.races.empty());
  // Far apart: nothing is repeated.
  const Look apart = look_at(R"("main": [{"fs": "stat", "takes": "50ms", "do": []}, {"setTimeout": 5, "do": []}])");
  CHECK(apart.result.races.empty());
  CHECK(apart.result.runs == 0);
  // Near enough to be looked at, and no race.
  const Look near = look_at(R"("main": [{"fs": "stat", "takes": "8ms", "do": []}, {"setTimeout": 5, "do": []}])");
  CHECK(near.result.races.empty());
  CHECK(near.result.runs == 16);
  // Ready at the same time, though one runs much later.
  const Look held = look_at(R"("main": [{"fs": "stat", "takes": "10ms", "as": "a", "do": [{"spin": "80ms"}]},
    {"fs": "stat", "takes": "10ms", "as": "b", "do": []}])");
  CHECK(held.result.races.size() == 1);
}

TEST_CASE("what a scenario says of its machine does not vary", "[races]") {
  const std::string main = kTimeoutOrImmediate;
  CHECK(look_at(R"("machine": "ideal", )" + main).result.runs == 0);
  CHECK(look_at(R"("machine": {"startup": "3ms"}, )" + main).result.races.empty());
  // A machine of its own varies by itself.
  const Look server = look_at(R"("machine": "server", )" + main);
  REQUIRE(server.result.races.size() == 1);
  CHECK(server.result.races.front().machine == "server");
  const Look custom = look_at(R"("machine": {"preset": "ideal", "startup": {"uniform": ["0ms", "2ms"]}}, )" + main);
  REQUIRE(custom.result.races.size() == 1);
  CHECK(custom.result.races.front().machine == "custom");
  // A program that is random itself is its author's matter.
  CHECK(look_at(R"("main": [{"fs": "stat", "takes": {"exponential": "5ms"}, "do": []}, {"setTimeout": 5, "do": []}])")
            .result.runs == 0);
}

TEST_CASE("only the begin of a long run is looked at", "[races]") {
  const Look look = look_at(R"("main": [{"setInterval": 1, "as": "tick", "do": []},
    {"fs": "stat", "takes": "1ms", "as": "file", "do": []}])");
  CHECK(look.result.is_beginning);
  REQUIRE(look.result.races.size() == 1);
  const Look endless = look_at(R"("functions": {"again": [{"nextTick": "again"}]}, "main": [{"call": "again"}])");
  CHECK(endless.result.races.empty());
}

// A machine moves a callback by up to 5 ms, 2 ms more for each that led to it, and 0.5 ms for each before it. So `later`,
// due 7 ms after the immediate, is out of its reach (6 ms), and `last`, due at 8 ms, is within (8.5 ms). That is callback
// 35: main, the first two, `later`, its 30 ticks, `last`; and all runs together have 1000.
TEST_CASE("the run is looked at as far as the last pair that may turn", "[races]") {
  const auto runs = [](const std::string& asked) {
    return look_at(R"("main": [{"setTimeout": 0, "as": "timeout", "do": []}, {"setImmediate": [], "as": "immediate"},
      {"setTimeout": 7, "as": "later", "do": [{"repeat": 30, "do": [{"nextTick": []}]})" +
                       asked + "]}]",
                   {.overrides = {}, .runtime = "node-18", .seed = {}})
        .result.runs;
  };
  CHECK(runs("") == 50);
  CHECK(runs(R"(, {"setTimeout": 1, "as": "last", "do": []})") == 1000 / 35);
}

TEST_CASE("a race that was found can be run", "[races]") {
  const ReadResult read = read_scenario("{" + std::string(kTimeoutOrImmediate) + "}", "test.json", {});
  const CompileResult compiled = compile(*read.scenario);
  const RacesResult result = find_races(*read.scenario, *compiled.program);
  REQUIRE(result.races.size() == 1);
  const auto recorder = make_recorder();
  const std::array<TraceSink*, 1> sinks = {recorder.get()};
  const auto names = [&] {
    std::vector<std::string> begun;
    for (const Recording::Begun& one : recorder->recording().callbacks) begun.push_back(one.name);
    return begun;
  };
  run_turned(*read.scenario, *compiled.program, result.races.front(), sinks);
  CHECK(names() == std::vector<std::string>{"main", "timeout", "immediate"});
}

TEST_CASE("the races of one callback are one note", "[races]") {
  const Look look = look_at(R"("main": [{"setTimeout": 0, "as": "t", "do": []}, {"setImmediate": [], "as": "i1"},
    {"setImmediate": [], "as": "i2"}, {"setImmediate": [], "as": "i3"}, {"setImmediate": [], "as": "i4"},
    {"setImmediate": [], "as": "i5"}, {"setImmediate": [], "as": "i6"}, {"log": "x"}])");
  CHECK(look.result.races.size() == 6);
  const std::vector<CallbackNote> notes = notes_of(look.result);
  REQUIRE(notes.size() == 1);
  CHECK(notes.front().text ==
        "a race with i6: on laptop t is first in 50 of 50 runs; one with i5, i4, i3 and 2 more as well; "
        "loopsim orders tells more");
  CHECK(notes_of(look.result, Language::chinese).front().text ==
        "与 i6 竞争，先后不定：在 laptop 上的 50 次运行中，有 50 次是 t 在先；与 i5，i4，i3，还有 2 个也有竞争；"
        "详情见 loopsim orders");
}

TEST_CASE("a listener of a rejection has no race beside that of the callback before it", "[races]") {
  const Look look = look_at(R"("main": [
    {"on": "process", "event": "unhandledRejection", "as": "late", "do": []},
    {"on": "process", "event": "rejectionHandled", "as": "handled", "do": []},
    {"rejected": "x", "as": "p"}, {"setImmediate": [], "as": "immediate"},
    {"setTimeout": 0, "as": "timeout", "do": [{"then": "p", "catch": []}]}])");
  REQUIRE(look.result.races.size() == 1);
  CHECK(look.result.races.front().first.label == "immediate");
  CHECK(look.result.races.front().second.label == "timeout");
}

TEST_CASE("races are told with the explanations of both callbacks", "[races][explain]") {
  const ReadResult read =
      read_scenario(R"({"main": [{"setTimeout": 0, "as": "timer", "do": []}, {"fs": "stat", "as": "file", "do": []}]})",
                    "test.json", {});
  const CompileResult compiled = compile(*read.scenario);
  const RacesResult races = find_races(*read.scenario, *compiled.program);
  REQUIRE(races.races.size() == 1);
  const auto explainer = make_explainer(&races);
  const auto without = make_explainer();
  testing::ExplanationRules rules;
  const std::array<TraceSink*, 3> sinks = {explainer.get(), without.get(), &rules};
  run(*compiled.program, sinks);
  CHECK(rules.broken(explainer->explanations()) == "");

  const auto told = [](const Explainer& by, std::string_view label) {
    std::vector<std::string> sentences;
    for (const Explanation& one : by.explanations()) {
      if (one.label != label) continue;
      for (const ExplanationSentence& sentence : one.sentences)
        if (explanation_rules()[sentence.rule].part == ExplanationPart::race)
          sentences.push_back(format_sentence(sentence));
    }
    return sentences;
  };
  const std::string share = std::to_string(races.races.front().turned) + " of 50 runs.";
  const std::string untimed = "file has no \"takes\" in the scenario: it takes no time here, and some in reality.";
  CHECK(told(*explainer, "file") ==
        std::vector<std::string>{
            "Here it comes before timer, which is not certain: on laptop, timer is first in " + share, untimed});
  CHECK(told(*explainer, "timer") ==
        std::vector<std::string>{
            "Here file comes before it, which is not certain: on laptop, this one is first in " + share, untimed});
  CHECK(told(*without, "timer").empty());
}

TEST_CASE("a drawing marks a race, and has its words below", "[races][svg]") {
  const ReadResult read = read_scenario("{" + std::string(kTimeoutOrImmediate) + "}", "test.json", {});
  const CompileResult compiled = compile(*read.scenario);
  const std::vector<CallbackNote> notes = notes_of(find_races(*read.scenario, *compiled.program));
  StringOutput drawing;
  const auto writer = make_svg_writer(drawing, {.notes = notes});
  const std::array<TraceSink*, 1> sinks = {writer.get()};
  run(*compiled.program, sinks);
  CHECK(drawing.text().find("timeout</tspan><tspan dx=\"5\" font-weight=\"bold\" fill=\"#b02a00\">(1)</tspan>") !=
        std::string::npos);
  CHECK(drawing.text().find(">(1) a race with immediate: on laptop timeout is first in ") != std::string::npos);
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
  CHECK(text.text().find("▶ timeout (setTimeout)\n                          ⇄ a race with immediate: on laptop") !=
        std::string::npos);
}

TEST_CASE("the table of what varies says what the machine laptop has", "[races]") {
  ReadOptions options;
  nlohmann::ordered_json machine = nlohmann::ordered_json::object();
  for (const MachineUncertainty& one : machine_uncertainties(24))
    (one.is_overhead ? machine["overhead"] : machine)[std::string(one.key)] = nlohmann::ordered_json::parse(one.value);
  options.overrides.emplace_back("/machine", machine.dump());
  const std::string document = "{" + std::string(kTimeoutOrImmediate) + "}";
  const ReadResult read = read_scenario(document, "test.json", options);
  REQUIRE(read.scenario);
  const MachineSpec varied = varied_machine(MachineSpec{}, MachineGiven{}, 24);
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
  CHECK(equal(said.overhead.submit, varied.overhead.submit));
  CHECK(equal(said.overhead.request, varied.overhead.request));
  CHECK_FALSE(leaves_machine_open(read.scenario->machine_given));
  CHECK(leaves_machine_open(MachineGiven{}));
}
