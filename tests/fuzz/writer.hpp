// Scenarios generated from the grammar: every choice (construct, options, whether a hole is empty, name, value) is
// drawn from bytes. Any bytes give a scenario that the reader accepts: names are defined before use, `await` is only
// where it is allowed, and the size is bounded. A rejection is a bug of the writer or of the reader.
//
// Unlike the programs for comparisons with real Node, these may contain endless intervals, unbounded recursion, network
// access, every machine and every input; limits stop them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "tests/fuzz/language.hpp"

namespace loopsim::fuzz {

// Contents of each hole: the part's id, and a construct's id or "(empty)", "(function)", "(name)", "(null)", "(value)".
using Pairs = std::set<std::pair<std::string, std::string>>;

// The scenario for these bytes, as a tree and as text. Adds its pairs to `pairs`, if not null.
[[nodiscard]] Json scenario_of(std::span<const std::uint8_t> bytes, Pairs* pairs = nullptr);
[[nodiscard]] std::string scenario_text_of(std::span<const std::uint8_t> bytes, Pairs* pairs = nullptr);

// Number of all possible pairs.
[[nodiscard]] std::size_t possible_pairs();

// Pseudo-random bytes, a function of `number`. Most are long enough for a scenario of the largest size.
[[nodiscard]] std::string bytes_of_scenario(std::uint64_t number);

}  // namespace loopsim::fuzz
