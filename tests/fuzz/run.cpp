// Scenarios mutated as trees, run with every writer.

#include <string>

#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loopsim;
  ReadResult read = read_scenario(std::string(reinterpret_cast<const char*>(data), size), "fuzz.json");
  if (!read.scenario) return 0;
  if (const auto program = fuzz::check_scenario(*read.scenario); program != nullptr) fuzz::check_run(*program);
  return 0;
}
