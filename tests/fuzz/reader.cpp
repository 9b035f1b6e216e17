// Arbitrary bytes as a document: the reader accepts them or reports errors in valid UTF-8. nlohmann's parser must agree
// on what is valid JSON and on its value.

#include <string>

#include "loopsim/scenario.hpp"

#include "sim/trace/utf8.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/support/json_oracle.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loopsim;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const ReadResult result = read_scenario(text, "fuzz.json");
  fuzz::require(result.scenario.has_value() != has_errors(result.diagnostics), "a scenario, or else an error");
  for (const Diagnostic& diagnostic : result.diagnostics) {
    fuzz::require(!diagnostic.message.empty(), "a diagnostic has a message");
    fuzz::require(find_invalid_utf8(to_string(diagnostic)) == std::string_view::npos, "a diagnostic is UTF-8");
  }
  const std::string difference = testing::json_difference(text);
  fuzz::require(difference.empty(), difference.c_str());
  return 0;
}
