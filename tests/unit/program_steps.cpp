// The program's steps in a trace: calls, assignments, conditions, promises. Where they are not asked for there are none.
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/simulator.hpp"
#include "loopsim/trace_reader.hpp"
#include "loopsim/writers.hpp"

#include "sim/program/program.hpp"
#include "sim/program/verify.hpp"
#include "tests/support/simulate.hpp"

using namespace loopsim;

namespace {

std::string traced(const std::string& main, const CompileOptions& options, const std::string& more = "") {
  const std::string document = "{\"main\": [" + main + "]" + (more.empty() ? "" : ", " + more) + "}";
  const ReadResult read = read_scenario(document, "test.json");
  INFO(document);
  REQUIRE(read.scenario.has_value());
  const CompileResult compiled = compile(*read.scenario, options);
  REQUIRE(compiled.program != nullptr);
  CHECK(verify(*compiled.program).empty());
  return testing::simulate(*compiled.program).jsonl;
}

// From "ev" to "line", of the steps only.
std::vector<std::string> steps(const std::string& main, const std::string& more = "",
                               const CompileOptions& options = {.steps = true}) {
  const std::string jsonl = traced(main, options, more);
  std::vector<std::string> found;
  std::size_t at = jsonl.find('\n') + 1;
  for (std::size_t end = 0; at < jsonl.size(); at = end + 1) {
    end = jsonl.find('\n', at);
    const std::string_view line = std::string_view(jsonl).substr(at, end - at);
    const std::size_t begin = line.find("\"ev\":\"") + 6;
    for (const std::string_view kind : {"scope", "assign", "condition", "promise", "steps_end"}) {
      if (!line.substr(begin).starts_with(std::string(kind) + "\"")) continue;
      std::string_view told = line.substr(begin, line.size() - 1 - begin);
      told = told.substr(0, told.find(",\"line\""));
      found.push_back(std::string(kind) + std::string(told.substr(kind.size() + 1)));
    }
  }
  return found;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("variables: let, set, add and what is compared", "[steps]") {
  CHECK(steps(R"({"let": {"n": 1}}, {"set": {"g": "text"}}, {"add": {"n": 2}}, {"add": {"g": "{n}"}},
                 {"if": ["n", "<", 3], "then": [{"set": {"n": null}}], "else": [{"set": {"n": true}}]}, {"if": "n", "then": []})") ==
        Lines{
            R"(scope,"as":"call","name":"main","depth":1,"scope":1)",
            R"(assign,"as":"let","name":"n","scope":1,"type":"number","value":"1")",
            R"(assign,"as":"set","name":"g","type":"string","value":"text")",
            R"(assign,"as":"add","name":"n","scope":1,"type":"number","value":"3")",
            R"(assign,"as":"add","name":"g","type":"string","value":"text3")",
            R"(condition,"name":"n","holds":false,"text":"3 < 3")",
            R"(assign,"as":"set","name":"n","scope":1,"type":"boolean","value":"true")",
            R"(condition,"name":"n","holds":true,"text":"true")",
        });
}

TEST_CASE("calls, parameters, and the way back", "[steps]") {
  CHECK(steps(R"({"let": {"n": 1}}, {"call": "f", "with": [7], "as": "r"}, {"log": "{r}"})",
              R"("functions": {"f": {"parameters": ["a"], "do": [{"add": {"a": 1}}, {"return": "{a}"}]}})") ==
        Lines{
            R"(scope,"as":"call","name":"main","depth":1,"scope":1)",
            R"(assign,"as":"let","name":"n","scope":1,"type":"number","value":"1")",
            R"(scope,"as":"call","name":"f","depth":2,"scope":2,"outer":1)",
            R"(assign,"as":"parameter","name":"a","scope":2,"type":"number","value":"7")",
            R"(assign,"as":"add","name":"a","scope":2,"type":"number","value":"8")",
            R"(scope,"as":"back","name":"main","depth":1,"scope":1)",
            R"(assign,"as":"result","name":"r","type":"number","value":"8")",
        });
}

TEST_CASE("rounds of a loop have scopes of their own where callbacks keep them", "[steps]") {
  CHECK(steps(R"({"repeat": 2, "as": "i", "do": [{"setImmediate": [{"log": "{i}"}]}]})") ==
        Lines{
            R"(scope,"as":"call","name":"main","depth":1,"scope":1)",
            R"(scope,"as":"round","name":"main","depth":1,"scope":2,"outer":1)",
            R"(assign,"as":"loop","name":"i","scope":2,"type":"number","value":"0")",
            R"(scope,"as":"round","name":"main","depth":1,"scope":3,"outer":1)",
            R"(assign,"as":"loop","name":"i","scope":3,"type":"number","value":"1")",
            R"(scope,"as":"back","name":"main","depth":1,"scope":1)",
            R"(scope,"as":"call","name":"setImmediate@1","depth":1,"scope":2,"outer":1)",
            R"(scope,"as":"call","name":"setImmediate@1","depth":1,"scope":3,"outer":1)",
        });
}

TEST_CASE("exceptions come to their handler, and awaits go on", "[steps]") {
  CHECK(
      steps(R"({"try": [{"call": "f"}], "catch": [{"log": "{error.message}"}]}, {"async": "g"})",
            R"("functions": {"f": [{"throw": "no"}], "g": [{"let": {"x": 1}}, {"await": null}, {"add": {"x": 1}}]})") ==
      Lines{
          R"(scope,"as":"call","name":"main","depth":1,"scope":1)",
          R"(scope,"as":"call","name":"f","depth":2,"scope":1)",
          R"(scope,"as":"back","name":"main","depth":1,"scope":1)",
          R"(assign,"as":"caught","name":"error","scope":1,"type":"error","value":"Error: no")",
          R"(scope,"as":"call","name":"g","depth":2,"scope":2,"outer":1)",
          R"(assign,"as":"let","name":"x","scope":2,"type":"number","value":"1")",
          R"(scope,"as":"back","name":"main","depth":1,"scope":1)",
          R"(scope,"as":"resume","name":"g","depth":1,"scope":2,"outer":1)",
          R"(assign,"as":"add","name":"x","scope":2,"type":"number","value":"2")",
          R"(promise,"id":1,"name":"g","as":"fulfilled","value":"undefined")",
      });
}

TEST_CASE("promises: pending, fulfilled with a value, rejected with a reason", "[steps]") {
  CHECK(steps(R"({"promise": "p"}, {"promise": "q"}, {"resolve": "p", "with": "v"}, {"reject": "q", "error": "no"},
                 {"then": "q", "catch": []}, {"set": {"copy": "{p}"}})") ==
        Lines{
            R"(scope,"as":"call","name":"main","depth":1)",
            R"(assign,"as":"result","name":"p","type":"promise","value":"Promise { <pending> }","promise":1)",
            R"(assign,"as":"result","name":"q","type":"promise","value":"Promise { <pending> }","promise":2)",
            R"(promise,"id":1,"name":"p","as":"fulfilled","value":"'v'")",
            R"(promise,"id":2,"name":"q","as":"rejected","value":"Error: no")",
            R"(assign,"as":"set","name":"copy","type":"promise","value":"Promise { 'v' }","promise":1)",
            R"(scope,"as":"call","name":"catch@2","depth":1)",
        });
}

TEST_CASE("a value is told up to 200 bytes, in whole characters", "[steps]") {
  const std::string wide = "\xE4\xB8\xAD";  // three bytes: 66 of them fit
  std::string text;
  std::string kept;
  for (int i = 0; i < 70; ++i) text += wide;
  for (int i = 0; i < 66; ++i) kept += wide;
  const Lines told =
      steps("{\"set\": {\"s\": \"" + text + "\"}}, {\"set\": {\"t\": \"" + std::string(200, 'x') + "\"}}");
  REQUIRE(told.size() == 3);
  CHECK(told[1] == R"(assign,"as":"set","name":"s","type":"string","value":")" + kept + R"(","cut":true)");
  CHECK(told[2] == R"(assign,"as":"set","name":"t","type":"string","value":")" + std::string(200, 'x') + "\"");
}

TEST_CASE("arrays, objects and what Node makes are told as what they are", "[steps]") {
  const Lines told = steps(
      R"({"all": [{"resolved": 1}, {"resolved": "x"}], "as": "both"}, {"then": "both", "do": [{"set": {"list": "{value}"}}]},
         {"allSettled": [{"resolved": 1}], "as": "some"}, {"then": "some", "do": [{"set": {"rows": "{value}"}}]},
         {"setTimeout": 1, "as": "t", "do": []}, {"emitter": "e"}, {"listen": 80, "as": "server", "on": {}}, {"close": "server"})");
  const auto has = [&](const std::string& what) {
    INFO(what);
    return std::find(told.begin(), told.end(), what) != told.end();
  };
  CHECK(has(R"(assign,"as":"set","name":"list","type":"array","value":"[ 1, 'x' ]")"));
  CHECK(has(R"(promise,"id":3,"name":"both","as":"fulfilled","value":"[ 1, 'x' ]")"));
  CHECK(has(R"(assign,"as":"set","name":"rows","type":"array","value":"[ { 1 } ]")"));
  CHECK(has(R"(assign,"as":"result","name":"t","type":"object","value":"Timeout")"));
  CHECK(has(R"(assign,"as":"result","name":"e","type":"object","value":"EventEmitter")"));
  CHECK(has(R"(assign,"as":"result","name":"server","type":"object","value":"Server")"));
}

TEST_CASE("no more steps are told than were asked for, and the trace says so", "[steps]") {
  const std::string main = R"({"let": {"n": 0}}, {"repeat": 1000, "do": [{"add": {"n": 1}}]}, {"log": "{n}"})";
  const Lines told = steps(main, "", {.steps = true, .most_steps = 3});
  REQUIRE(told.size() == 4);
  CHECK(told[2].starts_with("assign"));
  CHECK(told[3] == R"(steps_end,"most":3)");
  CHECK(steps(main).size() == 1002);
}

TEST_CASE("without being asked for there are none, and the code has none", "[steps]") {
  CHECK(steps(R"({"let": {"n": 1}}, {"add": {"n": 1}}, {"if": "n", "then": []})", "", {}).empty());
  const auto program =
      testing::compile_text(R"({"main": [{"let": {"n": 1}}, {"add": {"n": 1}}, {"if": "n", "then": []}]})");
  for (const Instruction& instruction : program->code) CHECK(instruction.op < Op::tell_scope);
}

TEST_CASE("a sink without steps gets the trace of a run without them", "[steps]") {
  const std::string document =
      R"({"main": [{"let": {"n": 1}}, {"setImmediate": [{"add": {"n": 1}}, {"log": "{n}"}]}]})";
  const ReadResult read = read_scenario(document, "test.json");
  REQUIRE(read.scenario.has_value());
  StringOutput output;
  const auto writer = make_jsonl_writer(output);
  const auto filter = make_sink_without_steps(*writer);
  TraceSink* const sinks[] = {filter.get()};
  run(*compile(*read.scenario, {.steps = true}).program, sinks);
  CHECK(output.text() == testing::simulate(*compile(*read.scenario).program).jsonl);
}
