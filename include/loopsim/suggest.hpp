// "Did you mean": the nearest of some words to a misspelt one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loopsim {

// The number of letters to insert, delete, replace or swap with their neighbour to get from one word to the other. Case
// counts as nothing.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// The word nearest to `word` among `candidates` (the first of equals), or "" when none is near.
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace loopsim
