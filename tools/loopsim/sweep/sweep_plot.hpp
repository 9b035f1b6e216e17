// Plot of a sweep: the mean of a metric against the first dimension, with its confidence band; one line per combination
// of the other dimensions' values.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/loopsim/io/gnuplot.hpp"
#include "tools/loopsim/sweep/sweep_summary.hpp"

namespace loopsim::cli {

// Error message, in one sentence, for dimensions that cannot be plotted; empty: no error.
[[nodiscard]] std::string wrong_for_plot(std::span<const Dimension> dimensions);

// Plots the first metric of `table`; `points` has all points in order.
[[nodiscard]] Plot sweep_plot(std::string_view title, std::span<const Dimension> dimensions, const SummaryTable& table,
                              std::span<const SummaryPoint> points);

// The values of a point, from dimension `first` on, with durations in one unit: "busy = 5 ms, n = 2".
[[nodiscard]] std::string point_name(std::span<const Dimension> dimensions, std::uint64_t point, std::size_t first = 0);

}  // namespace loopsim::cli
