#include <catch2/catch.hpp>

#include "tests/unit/scenario_support.hpp"

using namespace loopsim;
using namespace front_end;

namespace {

Scenario good(std::string text) {
  ReadResult result = read(std::move(text));
  for (const Diagnostic& diagnostic : result.diagnostics) UNSCOPED_INFO(to_string(diagnostic));
  REQUIRE(result.scenario.has_value());
  return std::move(*result.scenario);
}

std::vector<const Declaration*> named(const Scenario& scenario, std::string_view name) {
  std::vector<const Declaration*> found;
  for (const Declaration& declaration : scenario.declarations) {
    if (declaration.name == name) found.push_back(&declaration);
  }
  return found;
}

const Declaration& only(const Scenario& scenario, std::string_view name) {
  const auto found = named(scenario, name);
  REQUIRE(found.size() == 1);
  return *found[0];
}

const Value& logged(const Step& step) { return std::get<List<Value>>(step.argument)[0]; }

}  // namespace

TEST_CASE("a global may be used before the place that defines it", "[scenario][names]") {
  const Scenario scenario =
      good(document(R"({"setTimeout": 1, "do": [{"clear": "later"}]}, {"setInterval": 1, "do": [], "as": "later"})"));
  const Declaration& later = only(scenario, "later");
  CHECK(later.kind == Declaration::Kind::global);
  CHECK(later.is_used);
}

TEST_CASE("a name that is only a label defines nothing", "[scenario][names]") {
  const Scenario scenario = good(document(
      R"({"nextTick": [], "as": "a"}, {"fs": "stat", "do": [], "as": "b"}, {"queueMicrotask": [], "as": "c"},
                 {"on": "process", "event": "exit", "do": [], "as": "d"})"));
  CHECK(scenario.declarations.empty());
  CHECK(problems(document(R"({"nextTick": [], "as": "a"}, {"log": "{a}"})")).find("nothing defines the name \"a\"") !=
        std::string::npos);
}

TEST_CASE("locals are captured by callbacks and shadow globals", "[scenario][names]") {
  const Scenario scenario = good(document(
      R"({"set": {"y": 1}}, {"if": "y", "then": [{"let": {"x": 1}}, {"setTimeout": 1, "do": [{"log": "{x}"}]}]},
                 {"set": {"x": 2}}, {"log": "{x}"})"));
  const auto found = named(scenario, "x");
  REQUIRE(found.size() == 2);
  const auto& local = found[0]->kind == Declaration::Kind::local ? *found[0] : *found[1];
  const auto& global = found[0]->kind == Declaration::Kind::local ? *found[1] : *found[0];
  CHECK(local.kind == Declaration::Kind::local);
  CHECK(local.captured);
  CHECK(global.kind == Declaration::Kind::global);
  CHECK(scenario.declarations[logged(scenario.bodies[1].steps[0]).variable->declaration].kind ==
        Declaration::Kind::local);
}

TEST_CASE("functions see the variables of the script's outermost block", "[scenario][names]") {
  const Scenario scenario =
      good(document(R"({"let": {"x": 1}}, {"call": "f"})", R"(, "functions": {"f": [{"add": {"x": 1}}]})"));
  CHECK(only(scenario, "x").kind == Declaration::Kind::local);
  CHECK(only(scenario, "x").captured);
  CHECK(problems(document(R"({"repeat": 1, "as": "i", "do": []})", R"(, "functions": {"f": [{"log": "{i}"}]})"))
            .find("known only inside") != std::string::npos);
}

TEST_CASE("a loop's variable, and an assignment to a local", "[scenario][names]") {
  const Scenario scenario = good(document(
      R"({"repeat": 3, "as": "i", "do": [{"let": {"t": null}}, {"setTimeout": 1, "as": "t", "do": [{"log": "{i}"}, {"clear": "t"}]}]})"));
  CHECK(only(scenario, "i").kind == Declaration::Kind::loop_variable);
  CHECK(only(scenario, "i").captured);
  CHECK(only(scenario, "t").kind == Declaration::Kind::local);  // `as` writes to the local
  const Step& repeat = scenario.bodies[0].steps[0];
  CHECK(scenario.declarations[std::get<Name>(*repeat.find(Key::as)).declaration].name == "i");
}

TEST_CASE("predefined names are parameters when something uses them", "[scenario][names]") {
  const auto parameter = [](const std::string& step) {
    const Scenario scenario = good(document(step, R"(, "functions": {})"));
    const Body& body = scenario.bodies.at(1);
    return body.parameters.empty() ? std::string() : std::string(scenario.declarations[body.parameters[0]].name);
  };
  CHECK(parameter(R"({"then": null, "do": [{"log": "{value}"}]})") == "value");
  CHECK(parameter(R"({"then": null, "do": [{"log": "x"}]})").empty());
  CHECK(parameter(R"({"then": null, "catch": [{"log": "{error.message}"}]})") == "error");
  CHECK(parameter(R"({"then": null, "rejected": [{"log": "{error}"}]})") == "error");
  CHECK(parameter(R"({"fs": "stat", "do": [{"if": "error", "then": []}]})") == "error");
  CHECK(parameter(R"({"setTimeout": 1, "with": 2, "do": [{"log": "{value}"}]})") == "value");
  CHECK(parameter(R"({"async": [{"log": "{value}"}], "with": 2})") == "value");
  CHECK(parameter(R"({"on": "process", "event": "exit", "do": [{"log": "{code}"}]})") == "code");
  CHECK(parameter(R"({"on": "process", "event": "uncaughtException", "do": [{"log": "{error}"}]})") == "error");
  CHECK(parameter(R"({"on": "process", "event": "rejectionHandled", "do": [{"log": "{value}"}]})") == "value");
  CHECK(parameter(R"({"on": "e", "event": "error", "do": [{"log": "{error}"}]}, {"emitter": "e"})") == "error");
  CHECK(parameter(
            R"({"on": "e", "event": "x", "do": [{"setTimeout": 1, "do": [{"log": "{value}"}]}]}, {"emitter": "e"})") ==
        "value");
}

TEST_CASE("predefined names shadow, and give way to a let", "[scenario][names]") {
  const Scenario shadowed = good(document(R"({"set": {"value": 1}}, {"then": null, "do": [{"log": "{value}"}]})"));
  CHECK(shadowed.declarations[logged(shadowed.bodies[1].steps[0]).variable->declaration].kind ==
        Declaration::Kind::parameter);
  const Scenario given_way = good(document(R"({"then": null, "do": [{"let": {"value": 1}}, {"log": "{value}"}]})"));
  CHECK(given_way.bodies[1].parameters.empty());
  CHECK(only(given_way, "value").kind == Declaration::Kind::local);
}

TEST_CASE("what is caught is a variable of the catch block", "[scenario][names]") {
  const Scenario scenario =
      good(document(R"({"try": [{"throw": "x"}], "catch": [{"log": "{error}"}]}, {"try": [], "catch": []})"));
  const auto& steps = scenario.bodies[0].steps;
  REQUIRE(steps[0].caught != kNone);
  CHECK(scenario.declarations[steps[0].caught].kind == Declaration::Kind::caught);
  CHECK(steps[1].caught == kNone);
}

TEST_CASE("marks are read by since only", "[scenario][names]") {
  const Scenario scenario = good(document(R"({"mark": "m"}, {"log": "{since m}"})"));
  CHECK(only(scenario, "m").kind == Declaration::Kind::mark);
  CHECK(logged(scenario.bodies[0].steps[1]).parts[0].name.declaration != kNone);
}

TEST_CASE("every name in a read scenario is bound", "[scenario][names]") {
  const Scenario scenario = good(document(
      R"({"promise": "p"}, {"all": ["p", {"then": "p", "do": [], "as": "q"}], "as": "a"}, {"race": ["a", "q"]})"));
  const Step& all = scenario.bodies[0].steps[1];
  const auto& list = std::get<List<Awaitable>>(all.argument);
  CHECK(list[0].name->declaration == std::get<Name>(scenario.bodies[0].steps[0].argument).declaration);
  CHECK(std::get<Name>(*list[1].step->find(Key::as)).declaration != kNone);
}

TEST_CASE("a text that is also a variable's name is warned about", "[scenario][names]") {
  const auto warning = [](std::string_view place, std::string_view name) {
    return std::string(place) + ": the text \"" + std::string(name) +
           "\" is the name of a variable, too; its value is \"{" + std::string(name) + "}\"\n";
  };
  SECTION("of a local, a predefined name, and a global that is defined later") {
    CHECK(problems(document(R"({"let": {"y": 1}}, {"async": [{"return": "y"}]})")) ==
          warning("/main/1/async/0/return", "y"));
    CHECK(problems(document(R"({"try": [], "catch": [{"throw": "error"}]})")) ==
          warning("/main/0/catch/0/throw", "error"));
    CHECK(problems(document(R"({"promise": "p"}, {"then": "p", "do": [{"return": "value"}]})")) ==
          warning("/main/1/do/0/return", "value"));
    CHECK(problems(document(R"({"promise": "p"}, {"resolve": "p", "with": "q"}, {"promise": "q"})")) ==
          warning("/main/1/with", "q"));
  }
  SECTION("not where no variable of that name is to be seen, nor for a part of a text") {
    CHECK(problems(document(R"({"async": [{"return": "y"}]}, {"if": 1, "then": [{"let": {"y": 1}}]})")).empty());
    CHECK(problems(document(R"({"let": {"y": 1}}, {"async": [{"return": "y!"}]}, {"async": [{"return": "{y}"}]})"))
              .empty());
  }
  SECTION("not where names are often texts") {
    CHECK(problems(document(R"({"let": {"y": 1}}, {"log": "y"})")).empty());
    CHECK(problems(document(R"({"setTimeout": 1, "as": "timer", "do": [{"throw": "timer"}]})")).empty());
  }
  SECTION("not when nobody wants to hear it") {
    ReadOptions options;
    options.warns = false;
    CHECK(problems(document(R"({"let": {"y": 1}}, {"async": [{"return": "y"}]})"), options).empty());
  }
}
