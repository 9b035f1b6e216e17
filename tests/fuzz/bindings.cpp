// Calls of the functions that the host has for Node's library and a window's, by their numbers: which, when, and with which values the
// bytes say (tests/support/raw_calls.hpp).

#include <cstddef>
#include <cstdint>

#include "tests/support/raw_calls.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMost = 600;  // more calls find nothing that fewer do not
  loopsim::testing::call_bindings({data, size < kMost ? size : kMost});
  return 0;
}
