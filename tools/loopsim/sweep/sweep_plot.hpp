// Plot of a sweep: the mean of a metric against the first dimension, with its confidence band; one line per combination
// of the other dimensions' values.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/loopsim/sweep/sweep_summary.hpp"

namespace loopsim::cli {

// Error message, in one sentence, for dimensions that cannot be plotted; empty: no error.
[[nodiscard]] std::string wrong_for_plot(std::span<const Dimension> dimensions);

// Plots the first metric of `table` to `path`; `points` has all points in order. False on failure (error reported).
[[nodiscard]] bool write_sweep_plot(const std::string& path, std::string_view title,
                                    std::span<const Dimension> dimensions, const SummaryTable& table,
                                    std::span<const SummaryPoint> points);

}  // namespace loopsim::cli
