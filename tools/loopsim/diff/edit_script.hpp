// Edit scripts: the removals and insertions that turn one list into another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace loopsim::cli {

enum class Edit : char { keep = ' ', remove = '-', insert = '+' };

// The edits that turn `a` into `b`; equal elements have equal numbers. The script is minimal if kMostEdits edits
// suffice; else everything between the common head and tail is removed and inserted as a whole.
[[nodiscard]] std::vector<Edit> edits_between(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

// The same for long lists, in time linear in their length. Not always minimal beyond kMostInStretch edits, but common
// elements are found along the whole lists.
[[nodiscard]] std::vector<Edit> edits_in_stretches(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

}  // namespace loopsim::cli
