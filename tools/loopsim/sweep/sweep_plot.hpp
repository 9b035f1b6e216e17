// The picture of a sweep: the mean of a metric against what was varied first, with its confidence band; a line for each combination
// of the other values.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/loopsim/sweep/sweep_summary.hpp"

namespace loopsim::cli {

// Why these dimensions cannot be plotted, in one sentence; empty when they can.
[[nodiscard]] std::string wrong_for_plot(std::span<const Dimension> dimensions);

// Writes the first metric of `table` for all points, in order, to `path`. False when that failed: then it has been reported.
[[nodiscard]] bool write_sweep_plot(const std::string& path, std::string_view title,
                                    std::span<const Dimension> dimensions, const SummaryTable& table,
                                    std::span<const SummaryPoint> points);

}  // namespace loopsim::cli
