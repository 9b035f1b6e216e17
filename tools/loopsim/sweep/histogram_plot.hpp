// The picture of a sweep's loop delay: its distribution over all runs of a point, a line for each point.
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

// Why the histograms of these points cannot be drawn in one picture, in one sentence; empty when they can.
[[nodiscard]] std::string wrong_for_histogram_plot(std::span<const Dimension> dimensions);

// The column that has the histogram of the loop delay.
[[nodiscard]] std::optional<std::size_t> histogram_column(std::span<const Column> columns);

// The loop delay of all runs of each point. Only counts are kept, in bins at nearly equal ratios: 1, 1.25, 1.6, 2, 2.5, 3.15, 4,
// 5, 6.3, 8 and so on in every decade (preferred numbers R10, ISO 3). So the order in which runs come has no influence.
class DelayHistograms {
 public:
  DelayHistograms(std::span<const Column> columns, std::span<const Dimension> dimensions, std::uint64_t replications);

  // A row of the sweep. False when its histogram cannot be read: then that has been reported.
  [[nodiscard]] bool add(std::span<const Cell> cells);

  // The picture. False when it could not be made or written: then that has been reported.
  [[nodiscard]] bool write(const std::string& path, std::string_view title) const;

 private:
  using Bins = std::vector<std::uint64_t>;  // turns; bin 0 has those without any delay

  std::size_t column_;
  std::vector<Dimension> dimensions_;
  std::uint64_t replications_;
  std::vector<Bins> points_;
};

}  // namespace loopsim::cli
