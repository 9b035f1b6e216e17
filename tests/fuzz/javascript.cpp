// Programs in JavaScript, mutated by their lines and words, run with every writer, and step by step. What stands around
// a program is in its first line (program_writer.hpp).

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/mutator.hpp"
#include "tests/fuzz/program_mutator.hpp"
#include "tests/fuzz/program_writer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loopsim;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ReadResult read = read_scenario(fuzz::scenario_with(text), "fuzz.json");
  if (!read.scenario) return 0;
  const auto program = fuzz::check_scenario(*read.scenario);
  if (program == nullptr) return 0;
  fuzz::check_run(*program);
  fuzz::check_steps(*read.scenario, *program);
  return 0;
}

#ifndef LOOPSIM_REPLAY  // the replay has no libFuzzer

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (seed % 16 == 0) return LLVMFuzzerMutate(data, size, most);
  return loopsim::fuzz::put(loopsim::fuzz::mutate_program({reinterpret_cast<const char*>(data), size}, seed), data,
                            size, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size, const std::uint8_t* two,
                                                 std::size_t two_size, std::uint8_t* out, std::size_t most,
                                                 unsigned seed) {
  const std::string crossed = loopsim::fuzz::cross_programs({reinterpret_cast<const char*>(one), one_size},
                                                            {reinterpret_cast<const char*>(two), two_size}, seed);
  return loopsim::fuzz::put(crossed, out, 0, most);
}

#endif
