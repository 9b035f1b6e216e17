// Differences between two lists of lines, as `diff -u` prints them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace loopsim::cli {

struct DiffNames {
  std::string_view old_name;  // after ---
  std::string_view new_name;  // after +++
};

// Empty when there is no difference. The diff is minimal up to the edit limit of edits_between; beyond it, all lines
// between the common head and tail are printed as removed and inserted.
[[nodiscard]] std::string unified_diff(std::span<const std::string> old_lines, std::span<const std::string> new_lines,
                                       const DiffNames& names);

}  // namespace loopsim::cli
