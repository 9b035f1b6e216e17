// Histograms of distributions: the shares of values in bins, one outline per point.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/loopsim/io/gnuplot.hpp"
#include "tools/loopsim/sweep/distributions.hpp"

namespace loopsim::cli {

// `name` is that of the measure, `lines` are the names of the points. At least one point must have values.
[[nodiscard]] Plot plot_histograms(std::string_view title, std::string_view name, std::span<const std::string> lines,
                                   std::span<const Distribution> points);

}  // namespace loopsim::cli
