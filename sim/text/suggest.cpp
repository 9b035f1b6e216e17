#include "loopsim/suggest.hpp"

#include <algorithm>

namespace loopsim {
namespace {

constexpr std::size_t kLongestWord = 64;         // longer words are not considered
constexpr std::size_t kMostCandidates = 10'000;  // candidates to compare

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

// Optimal string alignment, with three rows of the table in memory.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char one, char other) { return lower(one) == lower(other); });
}

std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  const std::size_t count = std::min(candidates.size(), kMostCandidates);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view candidate = candidates[i];
    if (candidate.size() > kLongestWord) continue;
    // The distance is at least the difference in length.
    if (std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size()) >= best_distance) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return std::string(best);
}

}  // namespace loopsim
