// Plot of a sweep's loop delay: its distribution over all runs of a point, one line per point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/study.hpp"

namespace loopsim::cli {

// Error message, in one sentence, if these dimensions have too many points for one plot; empty: no error.
[[nodiscard]] std::string wrong_for_histogram_plot(std::span<const Dimension> dimensions);

// The column with the histogram of the loop delay.
[[nodiscard]] std::optional<std::size_t> histogram_column(std::span<const Column> columns);

// The loop delay over all runs of each point. Keeps counts only, in bins at nearly equal ratios: 1, 1.25, 1.6, 2, 2.5,
// 3.15, 4, 5, 6.3, 8 in every decade (preferred numbers R10, ISO 3). So the order of runs has no influence.
class DelayHistograms {
 public:
  DelayHistograms(std::span<const Column> columns, std::span<const Dimension> dimensions, std::uint64_t replications);

  // Adds a row of the sweep. False if its histogram cannot be read (error reported).
  [[nodiscard]] bool add(std::span<const Cell> cells);

  // Writes the plot. False if it could not be made or written (error reported).
  [[nodiscard]] bool write(const std::string& path, std::string_view title) const;

 private:
  using Bins = std::vector<std::uint64_t>;  // number of turns; bin 0: turns without delay

  std::size_t column_;
  std::vector<Dimension> dimensions_;
  std::uint64_t replications_;
  std::vector<Bins> points_;
};

}  // namespace loopsim::cli
