// What has to be taken out of one list and put in to make another of it: the longest common subsequence, and the rest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace loopsim::cli {

enum class Edit : char { keep = ' ', remove = '-', insert = '+' };

// The edits that make `b` of `a`; equal elements have equal numbers. They are the fewest where some thousand are enough; where it takes
// more, what lies between the common beginning and the common end is taken out and put in as a whole.
[[nodiscard]] std::vector<Edit> edits_between(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

// The same for long lists: not always the fewest edits where it takes more than some hundred, but what is common is found all along.
// Time grows with the length of the lists, and no faster.
[[nodiscard]] std::vector<Edit> edits_in_stretches(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

}  // namespace loopsim::cli
