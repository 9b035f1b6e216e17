// Calls of the host's own functions, as no program gets hold of them, with hostile arguments. What is called, and with what, comes from
// bytes: of a generator, or of a fuzzer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace loopsim::testing {

// A run in which the bytes are used up. Whatever they are, it ends: what is wrong is for the sanitizers, and assertions, to see.
void call_bindings(std::span<const std::uint8_t> bytes);

// Bytes that call each binding of each engine with each of the hostile values in each of its first places, and with too few, in each of
// the moments; the numbers of these are from such a run. In an order that has of everything something soon.
[[nodiscard]] std::vector<std::string> each_binding();

}  // namespace loopsim::testing
