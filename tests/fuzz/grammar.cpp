// Scenarios generated from the grammar, with the input bytes as choices: the reader accepts all of them, they compile,
// and the invariants of scenarios and runs hold.

#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/writer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loopsim;
  ReadResult read = read_scenario(fuzz::scenario_text_of({data, size}), "fuzz.json");
  for (const Diagnostic& problem : read.diagnostics) {
    if (problem.severity == Diagnostic::Severity::error)
      fuzz::require_none(to_string(problem), "what is written from the grammar is a scenario");
  }
  const auto program = fuzz::check_scenario(*read.scenario);
  fuzz::require(program != nullptr, "and has a program");
  fuzz::check_run(*program);
  return 0;
}
