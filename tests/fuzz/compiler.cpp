// Scenarios mutated as trees: the compiler, the export and the table of known differences accept all that the reader
// accepts, with the scenario's own runtime and with three others.

#include <string>

#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loopsim;
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const char* runtime : {"", "node-4", "node-10", "node-26"}) {
    ReadOptions options;
    options.runtime = runtime;
    ReadResult result = read_scenario(text, "fuzz.json", options);
    fuzz::require(result.scenario.has_value() != has_errors(result.diagnostics), "a scenario, or else an error");
    if (result.scenario) fuzz::check_scenario(*result.scenario);
  }
  return 0;
}
