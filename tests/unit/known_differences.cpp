// The places of a scenario that cause a warning, by version. The messages are tested in tests/cli;
// tools/conformance/fidelity-page compares the table with real Node.
#include "loopsim/known_differences.hpp"

#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using namespace loopsim;

// The JSON pointers of the warnings for a scenario with these steps.
std::vector<std::string> warned(const std::string& main, const std::string& runtime) {
  ReadOptions options;
  options.runtime = runtime;
  const ReadResult read = read_scenario(R"({"main": [)" + main + "]}", "test.json", options);
  REQUIRE(read.scenario);
  std::vector<std::string> pointers;
  for (const Diagnostic& warning : warnings_of(*read.scenario)) {
    CHECK(warning.severity == Diagnostic::Severity::warning);
    CHECK(warning.line > 0);
    pointers.push_back(warning.pointer);
  }
  return pointers;
}

using Pointers = std::vector<std::string>;

}  // namespace

TEST_CASE("known differences: the table is sound", "[unit]") {
  std::set<std::string_view> ids;
  for (const KnownDifference& difference : known_differences()) {
    CHECK(ids.insert(difference.id).second);
    CHECK(difference.first_major <= difference.last_major);
    CHECK((difference.first_major == 0) == (difference.last_major == 0));
    CHECK_FALSE(difference.what.empty());
    CHECK(difference.what.back() != '.');
  }
}

TEST_CASE("known differences: delays with a fraction, up to Node 10", "[unit]") {
  CHECK(warned(R"({"setTimeout": 2.5, "do": []})", "node-10") == Pointers{"/main/0"});
  CHECK(warned(R"({"setTimeout": 2.5, "do": []})", "node-11").empty());
  CHECK(warned(R"({"setTimeout": "2.5", "do": []})", "node-4") == Pointers{"/main/0"});
  CHECK(warned(R"({"setTimeout": {"uniform": ["2ms", "9ms"]}, "do": []})", "node-4") == Pointers{"/main/0"});
  CHECK(warned(R"({"setTimeout": {"choice": ["2ms", "9ms"]}, "do": []})", "node-4").empty());
  CHECK(warned(R"({"setTimeout": {"choice": ["2ms", "9.1ms"]}, "do": []})", "node-4") == Pointers{"/main/0"});
  // Node uses 1 for a delay that is below 1, above the maximum, or no number.
  CHECK(warned(R"({"setTimeout": 0.5, "do": []}, {"setTimeout": 2147483647.5, "do": []},
                  {"setTimeout": "soon", "do": []})",
               "node-4")
            .empty());
}

TEST_CASE("known differences: also inside of other steps, in the order of the document", "[unit]") {
  const std::string main = R"({"then": {"setTimeout": 1.5}, "do": [{"setInterval": 3.5, "as": "i", "do": []}]},
                              {"async": [{"await": {"setTimeout": 2.5}}]},
                              {"repeat": 2, "do": [{"setTimeout": 4.5, "do": []}]})";
  CHECK(warned(main, "node-8") == Pointers{"/main/0/then", "/main/0/do/0", "/main/1/async/0/await", "/main/2/do/0"});
}
