// "Did you mean": the candidate nearest to a misspelt word.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loopsim {

// Edit distance: the number of letters to insert, delete, replace or swap with a neighbour. ASCII case is ignored.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// Whether the two are the same word but for ASCII case.
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);

// The word nearest to `word` among `candidates` (the first of equals), or "" if none is near.
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace loopsim
