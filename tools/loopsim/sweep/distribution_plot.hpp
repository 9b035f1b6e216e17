// Plots of distributions, one line per point: histograms, and cumulative distribution functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tools/loopsim/io/gnuplot.hpp"
#include "tools/loopsim/sweep/distributions.hpp"

namespace loopsim::cli {

enum class DistributionPlot : std::uint8_t {
  histogram,  // shares in bins
  cdf,        // P(X <= x)
  ccdf,       // P(X > x), on a logarithmic axis
};

// Error message, in one sentence, if these dimensions have too many points for one plot; empty: no error.
[[nodiscard]] std::string wrong_for_distribution_plot(std::span<const Dimension> dimensions, DistributionPlot kind);

// Whether there is something to plot; if not, reports an error.
[[nodiscard]] bool has_values(std::string_view name, std::span<const Distribution> points);

// `name` is that of the measure: "timer.latency"; `lines` are the names of the points, all empty if there is only one.
// At least one point must have values.
[[nodiscard]] Plot plot_distributions(DistributionPlot kind, std::string_view title, std::string_view name,
                                      std::span<const std::string> lines, std::span<const Distribution> points);

}  // namespace loopsim::cli
