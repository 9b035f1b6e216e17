// Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986): the greedy algorithm of section 4, with the furthest
// points of every round kept for the way back.
#include "tools/loopsim/unified_diff.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace loopsim::cli {
namespace {

using Lines = std::span<const std::string>;

constexpr std::ptrdiff_t kMostEdits = 2000;  // time and memory grow with its square
constexpr std::size_t kContext = 3;

enum class Edit : char { keep = ' ', remove = '-', insert = '+' };

// The edits that make `b` of `a`; empty when more than kMostEdits would be needed.
std::vector<Edit> shortest_edits(Lines a, Lines b) {
  const auto n = static_cast<std::ptrdiff_t>(a.size());
  const auto m = static_cast<std::ptrdiff_t>(b.size());
  const std::ptrdiff_t most = std::min(n + m, kMostEdits);
  // furthest[k + most]: how far one gets in `a` on diagonal k (= x - y) with the edits so far.
  std::vector<std::ptrdiff_t> furthest(static_cast<std::size_t>(2 * most + 2), 0);
  std::vector<std::vector<std::ptrdiff_t>> rounds;  // of round d: diagonals -d .. d, before it
  const auto at = [most](std::ptrdiff_t k) { return static_cast<std::size_t>(k + most); };
  const auto goes_down = [](const auto& value, std::ptrdiff_t k, std::ptrdiff_t d) {
    return k == -d || (k != d && value(k - 1) < value(k + 1));
  };

  std::ptrdiff_t edits = -1;
  for (std::ptrdiff_t d = 0; d <= most && edits < 0; ++d) {
    const auto first = furthest.begin() + (most - d);
    rounds.emplace_back(first, first + (2 * d + 1));
    const auto value = [&](std::ptrdiff_t k) { return furthest[at(k)]; };
    for (std::ptrdiff_t k = -d; k <= d && edits < 0; k += 2) {
      std::ptrdiff_t x = d == 0 ? 0 : goes_down(value, k, d) ? value(k + 1) : value(k - 1) + 1;
      while (x < n && x - k < m && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - k)]) ++x;
      furthest[at(k)] = x;
      if (x >= n && x - k >= m) edits = d;
    }
  }
  if (edits < 0) return {};

  std::vector<Edit> path;  // from the end
  std::ptrdiff_t x = n;
  std::ptrdiff_t y = m;
  for (std::ptrdiff_t d = edits; d > 0; --d) {
    const std::vector<std::ptrdiff_t>& round = rounds[static_cast<std::size_t>(d)];
    const auto value = [&](std::ptrdiff_t k) { return round[static_cast<std::size_t>(k + d)]; };
    const std::ptrdiff_t k = x - y;
    const bool down = goes_down(value, k, d);
    const std::ptrdiff_t from = down ? k + 1 : k - 1;
    const std::ptrdiff_t old_x = value(from);
    const std::ptrdiff_t old_y = old_x - from;
    while (x > old_x && y > old_y) {
      path.push_back(Edit::keep);
      --x;
      --y;
    }
    path.push_back(down ? Edit::insert : Edit::remove);
    x = old_x;
    y = old_y;
  }
  for (; x > 0; --x) path.push_back(Edit::keep);
  std::ranges::reverse(path);
  return path;
}

// All edits: common lines at both ends, what differs between them.
std::vector<Edit> edits_between(Lines a, Lines b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t head = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  const Lines a_middle = a.subspan(head, a.size() - head - tail);
  const Lines b_middle = b.subspan(head, b.size() - head - tail);

  std::vector<Edit> edits(head, Edit::keep);
  const std::vector<Edit> middle = shortest_edits(a_middle, b_middle);
  if (middle.empty()) {
    edits.insert(edits.end(), a_middle.size(), Edit::remove);
    edits.insert(edits.end(), b_middle.size(), Edit::insert);
  } else {
    edits.insert(edits.end(), middle.begin(), middle.end());
  }
  edits.insert(edits.end(), tail, Edit::keep);
  return edits;
}

// "START,COUNT" of a hunk's header: the start is the line before when there are none, the count is left out when it is 1.
std::string range(std::size_t start, std::size_t count) {
  std::string text = std::to_string(count == 0 ? start : start + 1);
  if (count != 1) text.append(",").append(std::to_string(count));
  return text;
}

}  // namespace

std::string unified_diff(Lines old_lines, Lines new_lines, const DiffNames& names) {
  const std::vector<Edit> edits = edits_between(old_lines, new_lines);
  const auto changes = [&edits](std::size_t i) { return edits[i] != Edit::keep; };

  std::string text;
  std::size_t old_at = 0;
  std::size_t new_at = 0;
  std::size_t i = 0;
  while (true) {
    // A hunk begins some lines before the next change ...
    std::size_t change = i;
    while (change < edits.size() && !changes(change)) ++change;
    if (change == edits.size()) break;
    const std::size_t begin = std::max(i, change - std::min(change, kContext));
    old_at += begin - i;
    new_at += begin - i;
    // ... and ends some lines after the last one that is near it.
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
