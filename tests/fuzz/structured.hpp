// Makes libFuzzer mutate scenarios as JSON trees. Included once per target that takes scenarios.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/mutator.hpp"

#ifndef LOOPSIM_REPLAY  // the replay has no libFuzzer

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (seed % 16 == 0) return LLVMFuzzerMutate(data, size, most);  // as bytes, which uses the dictionary
  return loopsim::fuzz::put(loopsim::fuzz::mutate({reinterpret_cast<const char*>(data), size}, seed), data, size, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size, const std::uint8_t* two,
                                                 std::size_t two_size, std::uint8_t* out, std::size_t most,
                                                 unsigned seed) {
  const std::string crossed = loopsim::fuzz::cross({reinterpret_cast<const char*>(one), one_size},
                                                   {reinterpret_cast<const char*>(two), two_size}, seed);
  return loopsim::fuzz::put(crossed, out, 0, most);
}

#endif
