// A run that tells its steps is the same run: for all shipped scenarios, in every version of Node.
#include <string>
#include <string_view>

#include "loopsim/trace_reader.hpp"

#include "sim/program/verify.hpp"
#include "tests/support/every_run.hpp"
#include "tests/support/files.hpp"
#include "tests/support/scenario_files.hpp"
#include "tests/support/simulate.hpp"

using namespace loopsim;

namespace {

struct Traced {
  std::string all;
  std::string without_steps;
  RunSummary summary;
};

Traced traced(const Program& program) {
  StringOutput all;
  StringOutput without;
  const auto writer = make_jsonl_writer(all);
  const auto filtered = make_jsonl_writer(without);
  const auto filter = make_sink_without_steps(*filtered);
  TraceSink* const sinks[] = {writer.get(), filter.get()};
  const RunSummary summary = run(program, sinks);
  return {all.text(), without.text(), summary};
}

// Compares the run of a scenario with that of the same one that tells its steps. Returns how many bytes they take.
std::size_t check(const Scenario& scenario) {
  const CompileResult plain = compile(scenario);
  const CompileResult telling = compile(scenario, {.steps = true});
  REQUIRE(telling.program != nullptr);
  CHECK(verify(*telling.program).empty());
  const Traced expected = traced(*plain.program);
  const Traced told = traced(*telling.program);
  CHECK(expected.all == expected.without_steps);
  CHECK(told.without_steps == expected.all);
  CHECK(told.summary.steps == expected.summary.steps);
  CHECK(told.summary.events == expected.summary.events);
  CHECK(told.summary.limit == expected.summary.limit);

  StringOutput again;
  const auto writer = make_jsonl_writer(again);
  TraceSink* const sinks[] = {writer.get()};
  CHECK(read_trace(told.all, "steps.jsonl", sinks).empty());
  CHECK(again.text() == told.all);
  return told.all.size() - expected.all.size();
}

}  // namespace

TEST_CASE("a run that tells its steps is the same run, and its trace is read back", "[property][steps]") {
  std::size_t bytes = 0;
  for (const std::filesystem::path& path : testing::scenario_files()) {
    const std::string text = testing::read_file(path);
    for (const Profile& profile : profiles()) {
      ReadOptions options;
      options.runtime = profile.name;
      const ReadResult read = read_scenario(text, path.string(), options);
      if (!read.scenario) continue;
      INFO(path.string() + " in " + std::string(profile.name));
      bytes += check(*read.scenario);
    }
  }
  CHECK(bytes > 1'000'000);
}

TEST_CASE("a limit of steps ends it at the same step", "[property][steps]") {
  for (int limit = 1; limit < 120; ++limit) {
    const std::string document = R"({"limits": {"steps": )" + std::to_string(limit) + R"(}, "main": [
      {"let": {"n": 0}}, {"repeat": 3, "as": "i", "do": [{"add": {"n": 1}}, {"setImmediate": [{"log": "{i}"}]}]},
      {"if": ["n", ">", 2], "then": [{"call": "f", "with": ["{n}"]}]}, {"async": "g"},
      {"try": [{"throw": "no"}], "catch": [{"set": {"c": "{error.message}"}}], "finally": [{"set": {"d": 1}}]}],
      "functions": {"f": {"parameters": ["a"], "do": [{"set": {"x": "{a}"}}]}, "g": [{"await": null}, {"set": {"y": 1}}]}})";
    const ReadResult read = read_scenario(document, "test.json");
    REQUIRE(read.scenario.has_value());
    INFO(document);
    check(*read.scenario);
  }
}
