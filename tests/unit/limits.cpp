// Limits on documents and runs, beyond those that the scenario sets. Tests that need much memory are in tests/hostile.

#include <array>
#include <new>
#include <string>

#include <catch2/catch.hpp>

#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"

#include "tests/support/simulate.hpp"

using namespace loopsim;

namespace {

std::string repeated(const std::string& text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all.append(i > 0 ? "," : "").append(text);
  return all;
}

Diagnostics problems_of(const std::string& document) { return read_scenario(document, "test.json").diagnostics; }

// The compiler's diagnostics for a readable document.
std::string compile_error(const std::string& document) {
  const ReadResult read = read_scenario(document, "test.json");
  REQUIRE(read.scenario.has_value());
  const CompileResult compiled = compile(*read.scenario);
  CHECK((compiled.program == nullptr) == !compiled.diagnostics.empty());
  return compiled.diagnostics.empty() ? "" : to_string(compiled.diagnostics.front());
}

std::string call_with(std::size_t arguments) {
  return R"({"main": [{"call": "f", "with": [)" + repeated("1", arguments) + R"(]}], "functions": {"f": []}})";
}

std::string with_locals(std::size_t count) {
  std::string document = R"({"main": [)";
  for (std::size_t i = 0; i < count; ++i) document += R"({"let": {"v)" + std::to_string(i) + "\": 1}},\n";
  return document + R"({"log": "x"}]})";
}

// A sink that runs out of memory on the first events.
class FullSink final : public TraceSink {
 public:
  void begin(const RunInfo&) override {}
  void events(const EventBatch&) override { throw std::bad_alloc(); }
  void end(const RunSummary&) override { ended = true; }
  bool ended = false;
};

}  // namespace

TEST_CASE("Reading ends with the hundredth error", "[limits]") {
  const std::string wrong = R"({"log": "x", "log2": 1})";
  CHECK(problems_of("{\"main\": [" + repeated(wrong, 100) + "]}").size() == 100);
  const Diagnostics more = problems_of("{\"main\": [" + repeated(wrong, 1000) + "]}");
  REQUIRE(more.size() == 101);
  CHECK(to_string(more.back()) == "test.json: error: there are more errors than these 100\n");
  CHECK(more.front().pointer == "/main/0/log2");
}

TEST_CASE("Warnings do not count among the hundred errors", "[limits]") {
  std::string params = R"("p0": 0)";
  for (int i = 1; i < 150; ++i) params += ", \"p" + std::to_string(i) + "\": 0";
  const auto with_main = [&](const std::string& steps) {
    return problems_of("{\"params\": {" + params + "}, \"main\": [" + steps + "]}");
  };
  const Diagnostics warnings = with_main(R"({"log": "x"})");
  CHECK(warnings.size() == 100);
  CHECK_FALSE(has_errors(warnings));
  const Diagnostics errors = with_main(R"({"log": "x", "log2": 1})");
  REQUIRE(errors.size() == 1);
  CHECK(errors.front().pointer == "/main/0/log2");
}

TEST_CASE("Keys given twice count among the hundred errors", "[limits]") {
  CHECK(problems_of("{" + repeated("\"main\": []", 101) + "}").size() == 100);
  const Diagnostics more = problems_of("{" + repeated("\"main\": []", 1000) + "}");
  REQUIRE(more.size() == 101);
  CHECK(to_string(more.back()) == "test.json: error: there are more errors than these 100\n");
}

TEST_CASE("A message does not repeat a word of a megabyte", "[limits]") {
  const Diagnostics problems = problems_of(R"({"main": [{")" + std::string(1 << 20, 'n') + "\": 1}]}");
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().message.size() == 2003);
  CHECK(problems.front().message.ends_with("nnn..."));
}

TEST_CASE("A name has at most 1000 bytes", "[limits]") {
  const auto named = [](std::size_t size) {
    return R"({"main": [{"setTimeout": 1, "do": [], "as": ")" + std::string(size, 'n') + "\"}]}";
  };
  CHECK(problems_of(named(1000)).empty());
  const Diagnostics problems = problems_of(named(1001));
  REQUIRE(problems.size() == 1);
  CHECK(to_string(problems.front()) ==
        "test.json:1:45: error: /main/0/as: a name of 1001 bytes is too long; it may have 1000\n");
}

TEST_CASE("A step that handles much counts as many", "[limits]") {
  const auto steps_of = [](const std::string& steps) {
    const ReadResult read = read_scenario(R"({"main": [)" + steps + "]}", "test.json");
    REQUIRE(read.scenario);
    return run(*compile(*read.scenario).program, {}).steps;
  };
  const std::uint64_t few = steps_of(R"({"log": "x"})");
  CHECK(few < 10);
  CHECK(steps_of(R"({"log": ")" + std::string(1 << 20, 'x') + "\"}") == few + 1024);
  // The text of a log counts even without a sink; a text that is only stored does not.
  CHECK(steps_of(R"({"let": {"a": ")" + std::string(1 << 20, 'x') + R"("}})") < 10);
}

TEST_CASE("Sixteen entries count as a step", "[limits]") {
  const auto steps_of = [](const std::string& steps) {
    return run(*loopsim::testing::compile_text(R"({"main": [)" + steps + "]}"), {}).steps;
  };
  // A scope of so many variables, each set by a step of its own.
  const auto with_locals = [&](int count) {
    std::string steps;
    for (int i = 0; i < count; ++i) steps += (i > 0 ? ", " : "") + (R"({"let": {"v)" + std::to_string(i) + "\": 1}}");
    return steps_of(steps);
  };
  CHECK(with_locals(1600) - with_locals(800) == 800 + 800 / 16);
  // A list that is written as a text: a step for itself, one for sixteen entries, and one for the log's argument.
  const auto with_list = [&](int count, const std::string& then) {
    return steps_of(R"({"all": [)" + repeated("null", static_cast<std::size_t>(count)) +
                    R"(], "as": "p"}, {"then": "p", "do": [)" + then + "]}");
  };
  const auto cost_of_log = [&](int count) {
    return with_list(count, R"({"log": "{value}"})") - with_list(count, R"({"log": "x"})");
  };
  CHECK(cost_of_log(320) - cost_of_log(160) == 160 / 16);
}

TEST_CASE("What is read to be run may be kept from raising its limits", "[limits]") {
  const auto limits_of = [](std::uint64_t most) {
    ReadOptions options;
    options.most_steps = most;
    return read_scenario(R"({"limits": {"steps": 1000000000, "callbacks": 500}, "main": []})", "test.json", options)
        .scenario;
  };
  CHECK(limits_of(0)->limits.steps == 1'000'000'000);
  CHECK(limits_of(1000)->limits.steps == 1000);
  CHECK(limits_of(1000)->limits.callbacks == 500);
  CHECK(limits_of(1000)->asked_limits.steps == 1'000'000'000);
}

TEST_CASE("A call has at most 255 arguments", "[limits]") {
  CHECK(compile_error(call_with(255)).empty());
  CHECK(
      compile_error(call_with(256)).starts_with("test.json:1:11: error: /main/0: at most 255 arguments, found 256\n"));
}

TEST_CASE("A function has at most 65536 local variables", "[limits]") {
  CHECK(compile_error(with_locals(65536)).empty());
  CHECK(compile_error(with_locals(65537)) ==
        "test.json:65537:1: error: /main/65536: a function has at most 65536 local variables of its own\n"
        "  {\"let\": {\"v65536\": 1}},\n  ^\n");
}

TEST_CASE("A sink without memory ends the run, and is told nothing more", "[limits]") {
  FullSink full;
  const std::array<TraceSink*, 1> sinks = {&full};
  const auto program = loopsim::testing::compile_text(R"({"main": [{"log": "x"}]})");
  bool is_engines = false;
  bool is_sinks = false;
  try {
    run(*program, sinks);
  } catch (const OutOfMemory&) {
    is_engines = true;
  } catch (const std::bad_alloc&) {
    is_sinks = true;
  }
  CHECK_FALSE(is_engines);
  CHECK(is_sinks);
  CHECK_FALSE(full.ended);
}

// A long param is parsed once; its placeholders are resolved at each place of use.
TEST_CASE("A long param means at every place what is visible there", "[limits]") {
  const std::string filling(5000, 'x');
  const std::string document = R"({"params": {"p": ")" + filling + R"({a}{{}}"},
    "main": [{"let": {"a": 1}}, {"log": "$p"}, {"call": "f"}, {"call": "g", "with": [4]}, {"log": "$p"}],
    "functions": {"f": [{"let": {"b": 2}}, {"let": {"a": 3}}, {"log": "$p"}],
                  "g": {"parameters": ["a"], "do": [{"log": "$p"}]}}})";
  const auto expected = [&](const std::string& value) { return filling + value + "{}"; };
  CHECK(loopsim::testing::simulate(document).output ==
        std::vector<std::string>{expected("1"), expected("3"), expected("4"), expected("1")});
}

TEST_CASE("A name in a long param that nothing defines is told of at every place", "[limits]") {
  const std::string document = R"({"params": {"p": ")" + std::string(5000, 'x') + R"({a}"},
"main": [
{"log": "$p"},
{"log": "$p"}]})";
  const Diagnostics problems = problems_of(document);
  REQUIRE(problems.size() == 2);
  CHECK(to_string(problems[0]) ==
        "test.json:3:9: error: /main/0/log: nothing defines the name \"a\"\n  {\"log\": \"$p\"},\n          ^\n");
  CHECK(to_string(problems[1]) ==
        "test.json:4:9: error: /main/1/log: nothing defines the name \"a\"\n  {\"log\": \"$p\"}]}\n          ^\n");
}
