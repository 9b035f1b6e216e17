// Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986): the greedy algorithm of section 4.
// The furthest points of every round are kept to trace the path back.
#include "tools/loopsim/diff/edit_script.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace loopsim::cli {
namespace {

using Elements = std::span<const std::uint32_t>;

constexpr std::ptrdiff_t kMostEdits = 2000;     // time and memory are quadratic in it
constexpr std::ptrdiff_t kMostInStretch = 400;  // edits per stretch in edits_in_stretches

struct Stretch {
  std::vector<Edit> edits;
  std::ptrdiff_t a_size = 0;  // elements consumed from each list
  std::ptrdiff_t b_size = 0;
};

// The fewest edits that turn `a` into `b`; if more than `most_edits` are needed, those that lead furthest.
Stretch furthest_edits(Elements a, Elements b, std::ptrdiff_t most_edits) {
  const auto n = static_cast<std::ptrdiff_t>(a.size());
  const auto m = static_cast<std::ptrdiff_t>(b.size());
  const std::ptrdiff_t most = std::min(n + m, most_edits);
  // furthest[k + most]: the furthest x in `a` on diagonal k (= x - y) with the edits so far.
  std::vector<std::ptrdiff_t> furthest(static_cast<std::size_t>(2 * most + 2), 0);
  std::vector<std::vector<std::ptrdiff_t>> rounds;  // rounds[d]: diagonals -d .. d before round d
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

  Stretch stretch{{}, n, m};
  if (edits < 0) {  // the diagonal with the largest x + y; of equals the one nearest to k = 0
    edits = most;
    std::ptrdiff_t best = -1;
    for (std::ptrdiff_t k = -most; k <= most; k += 2) {
      const std::ptrdiff_t x = furthest[at(k)];
      const std::ptrdiff_t sum = 2 * x - k;
      if (x > n || x - k > m || x < k || x < 0) continue;  // beyond one of the lists
      const std::ptrdiff_t middle = stretch.a_size - stretch.b_size;
      if (sum < best || (sum == best && std::abs(k) >= std::abs(middle))) continue;
      best = sum;
      stretch.a_size = x;
      stretch.b_size = x - k;
    }
    if (best < 0) {  // no diagonal ends within both lists: remove and insert the next elements
      stretch.a_size = std::min(n, most);
      stretch.b_size = std::min(m, most - stretch.a_size);
      stretch.edits.assign(static_cast<std::size_t>(stretch.a_size), Edit::remove);
      stretch.edits.insert(stretch.edits.end(), static_cast<std::size_t>(stretch.b_size), Edit::insert);
      return stretch;
    }
  }
  std::vector<Edit>& path = stretch.edits;  // in reverse
  std::ptrdiff_t x = stretch.a_size;
  std::ptrdiff_t y = stretch.b_size;
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
  return stretch;
}

// The parts of both lists between their common head and tail.
struct Middle {
  Elements a, b;
  std::size_t head, tail;  // common elements
};
Middle middle_of(Elements a, Elements b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t head = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  return {a.subspan(head, a.size() - head - tail), b.subspan(head, b.size() - head - tail), head, tail};
}

}  // namespace

std::vector<Edit> edits_between(Elements a, Elements b) {
  const Middle middle = middle_of(a, b);
  std::vector<Edit> edits(middle.head, Edit::keep);
  const Stretch all = furthest_edits(middle.a, middle.b, kMostEdits);
  if (static_cast<std::size_t>(all.a_size) < middle.a.size() ||
      static_cast<std::size_t>(all.b_size) < middle.b.size()) {
    edits.insert(edits.end(), middle.a.size(), Edit::remove);
    edits.insert(edits.end(), middle.b.size(), Edit::insert);
  } else {
    edits.insert(edits.end(), all.edits.begin(), all.edits.end());
  }
  edits.insert(edits.end(), middle.tail, Edit::keep);
  return edits;
}

std::vector<Edit> edits_in_stretches(Elements a, Elements b) {
  Middle rest = middle_of(a, b);
  std::vector<Edit> edits(rest.head, Edit::keep);
  while (!rest.a.empty() || !rest.b.empty()) {
    const Stretch stretch = furthest_edits(rest.a, rest.b, kMostInStretch);
    edits.insert(edits.end(), stretch.edits.begin(), stretch.edits.end());
    rest.a = rest.a.subspan(static_cast<std::size_t>(stretch.a_size));
    rest.b = rest.b.subspan(static_cast<std::size_t>(stretch.b_size));
  }
  edits.insert(edits.end(), rest.tail, Edit::keep);
  return edits;
}

}  // namespace loopsim::cli
