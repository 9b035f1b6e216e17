// Leaves: the functions that run without a frame if the run has no trace.
#include <string>

#include <catch2/catch.hpp>

#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"

#include "sim/program/program.hpp"

using namespace loopsim;

namespace {

// Whether a function f with this body is a leaf.
bool is_leaf(const std::string& body) {
  const std::string document = R"({"main": [{"let": {"n": 1}}, {"setTimeout": 1, "do": "f"}],
    "functions": {"f": )" + body +
                               R"(, "g": {"parameters": ["a"], "do": []}}})";
  const ReadResult read = read_scenario(document, "test.json");
  INFO(document);
  REQUIRE(read.scenario.has_value());
  const CompileResult compiled = compile(*read.scenario);
  REQUIRE(compiled.program != nullptr);
  const Site& site = compiled.program->sites.front();
  REQUIRE(site.api == Api::set_timeout);
  if (site.leaf != kNone) {
    const Leaf& leaf = compiled.program->leaves[site.leaf];
    CHECK(leaf.function == site.function);
    CHECK(leaf.entry == compiled.program->functions[site.function].entry);
  }
  return site.leaf != kNone;
}

}  // namespace

TEST_CASE("what asks for callbacks or uses time is a leaf", "[program]") {
  CHECK(is_leaf("[]"));
  CHECK(is_leaf(R"([{"setTimeout": 5, "do": "f"}])"));
  CHECK(is_leaf(R"([{"setTimeout": {"uniform": [1, 9]}, "do": "f"}, {"setImmediate": "f"}, {"nextTick": "f"}])"));
  CHECK(is_leaf(R"([{"cpu": "1ms"}, {"spin": "1ms"}, {"queueMicrotask": "f"}])"));
  CHECK(is_leaf(R"([{"then": null, "do": "f"}])"));
  CHECK(is_leaf(R"([{"then": null, "rejected": "f"}])"));
  CHECK(is_leaf(R"([{"setImmediate": [{"log": "x"}]}])"));
}

TEST_CASE("what has locals, keeps a result, calls, may throw or returns something is no leaf", "[program]") {
  CHECK(!is_leaf(R"([{"let": {"a": 1}}])"));
  CHECK(!is_leaf(R"([{"setTimeout": 5, "as": "t", "do": "f"}])"));
  CHECK(!is_leaf(R"([{"setTimeout": 5, "do": "g", "with": [1]}])"));
  CHECK(!is_leaf(R"([{"then": null, "as": "p", "do": "f"}])"));
  CHECK(!is_leaf(R"([{"then": null, "do": "f", "catch": "f"}])"));
  CHECK(!is_leaf(R"([{"call": "f"}])"));
  CHECK(!is_leaf(R"([{"throw": "x"}])"));
  CHECK(!is_leaf(R"([{"return": 1}])"));
  CHECK(!is_leaf(R"([{"log": "x"}])"));
  CHECK(!is_leaf(R"([{"repeat": 2, "do": [{"setImmediate": "f"}]}])"));
  CHECK(!is_leaf(R"([{"if": "n", "then": [{"setImmediate": "f"}]}])"));
  CHECK(!is_leaf(R"([{"await": null}])"));
}
