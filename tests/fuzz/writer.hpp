// Scenarios written from the grammar: every choice (which construct, which options, whether a hole is empty, which name, which value) is
// drawn from bytes. What is written is a scenario that the reader takes, whatever the bytes: names are defined where they are used,
// `await` stands only where it may, and there is an end to it. When it is rejected, the writer is wrong, or the reader.
//
// Unlike the programs for comparisons with real Node these may do what real Node cannot be compared with: intervals that never end, calls
// without end, questions to the network, every machine and every input; limits stop them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "tests/fuzz/language.hpp"

namespace loopsim::fuzz {

// What stood in which hole: the part's id, and a construct's id or "(empty)", "(function)", "(name)", "(null)", "(value)".
using Pairs = std::set<std::pair<std::string, std::string>>;

// The scenario that these bytes say, as a tree and as text. What it has is added to `pairs`, if there are any.
[[nodiscard]] Json scenario_of(std::span<const std::uint8_t> bytes, Pairs* pairs = nullptr);
[[nodiscard]] std::string scenario_text_of(std::span<const std::uint8_t> bytes, Pairs* pairs = nullptr);

// How many pairs there are in all: what can stand in which hole.
[[nodiscard]] std::size_t possible_pairs();

// Bytes for a scenario: `number` says which. Most are long enough for all that a scenario may have.
[[nodiscard]] std::string bytes_of_scenario(std::uint64_t number);

}  // namespace loopsim::fuzz
