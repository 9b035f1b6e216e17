// The methods of each kind of value, and the errors for missing ones. Expected values: 18 steps on 17 kinds of values,
// measured on real Node 4 to 26; the tables below have what the versions share.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/simulate.hpp"

using loopsim::testing::Lines;
using loopsim::testing::simulate_main;

namespace {

struct Thing {
  std::string_view kind, made;
};
constexpr Thing kThings[] = {
    {"number", R"({"set": {"x": 5}})"},
    {"zero", R"({"set": {"x": 0}})"},
    {"boolean", R"({"set": {"x": true}})"},
    {"text", R"({"set": {"x": "text"}})"},
    {"empty text", R"({"set": {"x": ""}})"},
    {"error", R"({"try": [{"throw": "boom"}], "catch": [{"set": {"x": "{error}"}}]})"},
    {"deferred", R"({"promise": "x"})"},
    {"promise", R"({"then": null, "do": [], "as": "x"})"},
    {"timer", R"({"setTimeout": 2, "do": [], "as": "x"})"},
    {"immediate", R"({"setImmediate": [], "as": "x"})"},
    {"emitter", R"({"emitter": "x"})"},
    {"server", R"({"listen": 8080, "as": "x"}, {"setTimeout": 9, "do": [{"close": "x"}]})"},
    {"socket", R"({"connect": 8080, "as": "x", "on": {"error": []}})"},
    {"child", R"({"spawn": "sleep", "takes": "2ms", "as": "x"})"},
};

struct Method {
  std::string_view name, step;
  std::vector<std::string_view> of;  // kinds
};
const std::vector<std::string_view> kEmitters = {"emitter", "server", "socket", "child"};
const std::vector<std::string_view> kReferenced = {"timer", "immediate", "server", "socket", "child"};
const std::vector<Method> kMethods = {
    {"kill", R"({"kill": "x"})", {"child"}},
    {"close", R"({"close": "x"})", {"timer", "server"}},
    {"close", R"({"close": "x", "do": []})", {"timer", "server"}},
    {"destroy", R"({"destroy": "x"})", {"socket"}},
    {"write", R"({"write": "x", "bytes": 3})", {"socket"}},
    {"write", R"({"write": "x", "data": "ab", "do": []})", {"socket"}},
    {"end", R"({"end": "x"})", {"socket"}},
    {"pause", R"({"pause": "x"})", {"socket"}},
    {"resume", R"({"resume": "x"})", {"socket"}},
    {"on", R"({"on": "x", "event": "a", "do": []})", kEmitters},
    {"once", R"({"once": "x", "event": "a", "do": []})", kEmitters},
    {"removeListener", R"({"off": "x", "event": "a", "do": "f"})", kEmitters},
    {"emit", R"({"emit": "x", "event": "a"})", kEmitters},
    {"refresh", R"({"refresh": "x"})", {"timer"}},
    {"ref", R"({"ref": "x"})", kReferenced},
    {"unref", R"({"unref": "x"})", kReferenced},
    {"hasRef", R"({"hasRef": "x", "as": "has"})", {"timer", "immediate"}},
    {"then", R"({"then": "x", "do": []})", {"deferred", "promise"}},
    {"catch", R"({"then": "x", "catch": []})", {"deferred", "promise"}},
    {"finally", R"({"then": "x", "finally": []})", {"deferred", "promise"}},
};

bool has(const Method& method, const Thing& thing) { return std::ranges::count(method.of, thing.kind) != 0; }

Lines said(std::string_view made, std::string_view step) {
  const std::string main =
      std::string(made) + ", {\"try\": [" + std::string(step) + R"(], "catch": [{"log": "{error}"}]})";
  return simulate_main(main, "node-24", R"("functions": {"f": []})").output;
}

}  // namespace

TEST_CASE("a method that a thing does not have is an error that names the variable", "[methods]") {
  for (const Thing& thing : kThings) {
    for (const Method& method : kMethods) {
      CAPTURE(thing.kind, method.step);
      const std::string error = "TypeError: x." + std::string(method.name) + " is not a function";
      CHECK(said(thing.made, method.step) == (has(method, thing) ? Lines{} : Lines{error}));
    }
  }
}

TEST_CASE("only a promise that the program has made can be settled by it", "[methods]") {
  for (const Thing& thing : kThings) {
    for (const std::string method : {"resolve", "reject"}) {
      CAPTURE(thing.kind, method);
      const std::string step =
          "{\"" + method + "\": \"x\"}" + (method == "reject" ? R"(, {"then": "x", "catch": []})" : "");
      const std::string error = "TypeError: Cannot read properties of undefined (reading '" + method + "')";
      CHECK(said(thing.made, step) == (thing.kind == "deferred" ? Lines{} : Lines{error}));
    }
  }
}

TEST_CASE("a timer's close() clears it", "[methods]") {
  const auto run = simulate_main(
      R"({"setInterval": 5, "do": [{"log": "run"}], "as": "t"}, {"setTimeout": 12, "do": [{"close": "t"}]})");
  CHECK(run.output == Lines{"run", "run"});
  CHECK(run.summary.end_time == 12 * loopsim::kMillisecond);
}

TEST_CASE("clearTimeout of anything else does nothing, but for a text in Node 4 to 8", "[methods]") {
  for (const Thing& thing : kThings) {
    CAPTURE(thing.kind);
    CHECK(said(thing.made, R"({"clear": "x"})").empty());
  }
  const std::string main = R"({"set": {"x": "text"}}, {"try": [{"clear": "x"}], "catch": [{"log": "{error}"}]})";
  CHECK(simulate_main(main, "node-4").output ==
        Lines{"TypeError: Cannot assign to read only property '_onTimeout' of text"});
  CHECK(simulate_main(main, "node-8").output ==
        Lines{"TypeError: Cannot create property '_onTimeout' on string 'text'"});
  CHECK(simulate_main(main, "node-10").output.empty());
}

TEST_CASE("what process.exitCode does not take since Node 20", "[methods]") {
  const std::string type =
      "TypeError [ERR_INVALID_ARG_TYPE]: The \"code\" argument must be of type number. Received type ";
  const std::string range = "RangeError [ERR_OUT_OF_RANGE]: The value of \"code\" is out of range. It must be ";
  const std::string safe = ">= -9007199254740991 && <= 9007199254740991. Received ";
  const struct {
    std::string value, error;
  } cases[] = {
      {R"("\"a\"")", type + R"(string ('"a"'))"},
      {R"("it's \"a\"\n")", type + R"(string ("it's \"a\"\n"))"},
      {R"("abcdefghijklmnopqrstuvwxyzab")", type + "string ('abcdefghijklmnopqrstuvwxyzab')"},
      {R"("abcdefghijklmnopqrstuvwxyzabc")", type + "string ('abcdefghijklmnopqrstuvwxy...')"},
      {R"("")", type + "string ('')"},
      {"true", type + "boolean (true)"},
      {"0.5", range + "an integer. Received 0.5"},
      {R"("0.5")", range + "an integer. Received 0.5"},
      {"9007199254740992", range + safe + "9_007_199_254_740_992"},
      {"-1e300", range + safe + "-1e+_300"},
  };
  for (const auto& one : cases) {
    const std::string main = R"({"set": {"x": )" + one.value + R"(}}, {"exitCode": 3},
      {"try": [{"exitCode": "{x}"}], "catch": [{"log": "{error}"}]}, {"try": [{"exit": "{x}"}], "catch": [{"log": "{error}"}]})";
    CHECK(simulate_main(main, "node-20").output == Lines{one.error, one.error});
    CHECK(simulate_main(main, "node-20").summary.exit_code == 3);
    CHECK(simulate_main(main, "node-18").output.empty());
  }
}
