// Differences between two lists of lines, as `diff -u` prints them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace loopsim::cli {

struct DiffNames {
  std::string_view old_name;  // behind ---
  std::string_view new_name;  // behind +++
};

// Empty when there is no difference. The shortest difference is found where it has at most some thousand lines; where it is
// larger, what lies between the common beginning and the common end is printed as taken out and put in.
[[nodiscard]] std::string unified_diff(std::span<const std::string> old_lines, std::span<const std::string> new_lines,
                                       const DiffNames& names);

}  // namespace loopsim::cli
