// Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986): the greedy algorithm of section 4, with the furthest
// points of every round kept for the way back.
#include "tools/loopsim/edit_script.hpp"

#include <algorithm>
#include <cstddef>

namespace loopsim::cli {
namespace {

using Elements = std::span<const std::uint32_t>;

constexpr std::ptrdiff_t kMostEdits = 2000;  // time and memory grow with its square

// The edits that make `b` of `a`; empty when more than kMostEdits would be needed.
std::vector<Edit> shortest_edits(Elements a, Elements b) {
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

}  // namespace

// Common elements at both ends, what differs between them.
std::vector<Edit> edits_between(Elements a, Elements b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t head = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  const Elements a_middle = a.subspan(head, a.size() - head - tail);
  const Elements b_middle = b.subspan(head, b.size() - head - tail);

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

}  // namespace loopsim::cli
