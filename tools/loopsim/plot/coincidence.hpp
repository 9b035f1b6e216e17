// Lines of a plot that run together: which they are, so that each can be drawn visibly.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace loopsim::cli {

struct Company {
  std::size_t rank = 0;                // differs between lines that run together; 0 is drawn first, below the others
  std::size_t dash = 0;                // the same for those that do in half of their places or more; 0 is solid
  std::optional<std::size_t> same_as;  // the first line that this one runs together with everywhere
};

// `lines` have heights at the same places, in pixels; NaN: none there. Two lines run together where both have a height
// and these are at most `tolerance` apart; it counts if they do at two places, or wherever a line has a height.
[[nodiscard]] std::vector<Company> lines_together(std::span<const std::vector<double>> lines, double tolerance = 1.5);

}  // namespace loopsim::cli
