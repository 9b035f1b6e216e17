#include "tools/loopsim/diff/unified_diff.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "tools/loopsim/diff/edit_script.hpp"

namespace loopsim::cli {
namespace {

using Lines = std::span<const std::string>;

constexpr std::size_t kContext = 3;

// Equal lines get equal numbers.
std::vector<std::uint32_t> number_lines(Lines lines, std::map<std::string_view, std::uint32_t>& numbers) {
  std::vector<std::uint32_t> result;
  for (const std::string& line : lines) {
    result.push_back(numbers.emplace(line, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return result;
}

// "START,COUNT" of a hunk's header. START is the preceding line when COUNT is 0; COUNT is omitted when it is 1.
std::string range(std::size_t start, std::size_t count) {
  std::string text = std::to_string(count == 0 ? start : start + 1);
  if (count != 1) text.append(",").append(std::to_string(count));
  return text;
}

}  // namespace

std::string unified_diff(Lines old_lines, Lines new_lines, const DiffNames& names) {
  std::map<std::string_view, std::uint32_t> numbers;
  const std::vector<std::uint32_t> old_numbers = number_lines(old_lines, numbers);
  const std::vector<std::uint32_t> new_numbers = number_lines(new_lines, numbers);
  const std::vector<Edit> edits = edits_between(old_numbers, new_numbers);
  const auto changes = [&edits](std::size_t i) { return edits[i] != Edit::keep; };

  std::string text;
  std::size_t old_at = 0;
  std::size_t new_at = 0;
  std::size_t i = 0;
  while (true) {
    // A hunk begins up to kContext lines before the next change ...
    std::size_t change = i;
    while (change < edits.size() && !changes(change)) ++change;
    if (change == edits.size()) break;
    const std::size_t begin = std::max(i, change - std::min(change, kContext));
    old_at += begin - i;
    new_at += begin - i;
    // ... and ends up to kContext lines after the last change whose context touches it.
    std::size_t end = change;
    for (std::size_t next = change; next < edits.size() && next <= end + 2 * kContext + 1; ++next) {
      if (changes(next)) end = next;
    }
    end = std::min(edits.size(), end + kContext + 1);

    std::string body;
    std::size_t old_count = 0;
    std::size_t new_count = 0;
    for (i = begin; i < end; ++i) {
      const std::string& line =
          edits[i] == Edit::insert ? new_lines[new_at + new_count] : old_lines[old_at + old_count];
      body.append(1, static_cast<char>(edits[i])).append(line).append("\n");
      if (edits[i] != Edit::insert) ++old_count;
      if (edits[i] != Edit::remove) ++new_count;
    }
    if (text.empty()) text.append("--- ").append(names.old_name).append("\n+++ ").append(names.new_name).append("\n");
    text += "@@ -" + range(old_at, old_count) + " +" + range(new_at, new_count) + " @@\n" + body;
    old_at += old_count;
    new_at += new_count;
  }
  return text;
}

}  // namespace loopsim::cli
