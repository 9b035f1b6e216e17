// Histograms of distributions, in bins at nearly equal ratios: 1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8 in every decade
// (preferred numbers R10, ISO 3), and zero beside them.
#include "tools/loopsim/sweep/histogram_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tools/loopsim/plot/frame.hpp"

namespace loopsim::cli {
namespace {

// ---- bins ----------------------------------------------------------------------------------------------------------

constexpr std::array<std::uint64_t, 10> kSteps = {100, 125, 160, 200, 250,
                                                  315, 400, 500, 630, 800};  // of a decade, in hundredths
constexpr std::size_t kDecades = 17;                                         // 1 to 10^17 ns (three years)
constexpr std::size_t kBins = 1 + kDecades * kSteps.size();

// The lower ends of the bins from 1 on, in hundredths of a nanosecond.
constexpr std::array<std::uint64_t, kBins> edges() {
  std::array<std::uint64_t, kBins> all{};
  std::uint64_t decade = 1;
  for (std::size_t i = 0; i < kDecades; ++i) {
    for (std::size_t j = 0; j < kSteps.size(); ++j) all[1 + i * kSteps.size() + j] = decade * kSteps[j];
    decade *= 10;
  }
  return all;
}
constexpr std::array<std::uint64_t, kBins> kEdges = edges();

std::size_t bin_of(std::uint64_t time) {
  if (time == 0) return 0;
  const std::uint64_t most = kEdges.back() / 100;
  const auto above = std::upper_bound(kEdges.begin() + 1, kEdges.end(), std::min(time, most) * 100) - kEdges.begin();
  return static_cast<std::size_t>(above) - 1;
}

double lower_end(std::size_t bin) {  // in ms; also for the bin after the last
  return bin < kBins ? static_cast<double>(kEdges[bin]) / 1e8 : std::pow(10, kDecades) / 1e6;
}

using Shares = std::vector<double>;  // per bin, in percent; empty: no values

Shares shares_of(const Distribution& distribution) {
  if (distribution.values == 0) return {};
  Shares shares(kBins, 0);
  std::vector<std::uint64_t> counts(kBins, 0);
  for (const auto& [high, bucket] : distribution.buckets) counts[bin_of(high)] += bucket.count;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    shares[bin] = 100 * static_cast<double>(counts[bin]) / static_cast<double>(distribution.values);
  }
  return shares;
}

// ---- drawing -------------------------------------------------------------------------------------------------------

// A bin below this share of the highest is invisible on a linear axis.
constexpr double kTooLow = 0.01;
constexpr std::size_t kMostFilled = 3;  // more overlapping areas would hide the lines

// What is common to all lines.
struct Bounds {
  std::size_t first = 0;  // bins above 0, [first, last)
  std::size_t last = 0;
  bool has_zero = false;
  AxisRange shares;
  double zero_from = 0;  // bar of the zeros: left of all others
  double zero_to = 0;
  double left = 0;
};

Bounds bounds_of(std::span<const Shares> lines) {
  Bounds bounds;
  double highest = 0;
  double lowest = 100;
  bounds.first = kBins;
  for (const Shares& shares : lines) {
    for (std::size_t bin = 0; bin < shares.size(); ++bin) {
      if (shares[bin] == 0) continue;
      highest = std::max(highest, shares[bin]);
      lowest = std::min(lowest, shares[bin]);
      if (bin == 0) {
        bounds.has_zero = true;
      } else {
        bounds.first = std::min(bounds.first, bin);
        bounds.last = std::max(bounds.last, bin + 1);
      }
    }
  }
  if (bounds.last == 0) {  // all are 0
    bounds.first = bin_of(1'000);
    bounds.last = bin_of(1'000'000);
  }
  bounds.shares = {0, highest};
  if (lowest < kTooLow * highest) {
    bounds.shares = {std::pow(10, std::floor(std::log10(lowest) - 0.01)), highest, true};
  }
  // One more bin on both sides.
  bounds.first = std::max<std::size_t>(bounds.first, 2) - 1;
  bounds.last = std::min(bounds.last + 1, kBins);
  const double decades = std::log10(lower_end(bounds.last) / lower_end(bounds.first));
  const auto left_by = [&](double share) { return lower_end(bounds.first) / std::pow(10, share * decades); };
  bounds.left = bounds.has_zero ? left_by(0.11) : lower_end(bounds.first);
  bounds.zero_from = left_by(0.085);
  bounds.zero_to = left_by(0.035);
  return bounds;
}

// Outlines of a line, separated by blank lines: the bar of zeros, and each run of nonempty bins.
std::string outlines(const Shares& shares, const Bounds& bounds, double floor) {
  std::string text;
  const auto vertex = [&text](double x, double y) { text += fmt::format("{} {}\n", x, y); };
  if (shares[0] > 0) {
    vertex(bounds.zero_from, floor);
    vertex(bounds.zero_from, shares[0]);
    vertex(bounds.zero_to, shares[0]);
    vertex(bounds.zero_to, floor);
    text += '\n';
  }
  for (std::size_t bin = bounds.first; bin < bounds.last; ++bin) {
    if (shares[bin] == 0) continue;
    if (shares[bin - 1] == 0 || bin == 1) vertex(lower_end(bin), floor);
    vertex(lower_end(bin), shares[bin]);
    vertex(lower_end(bin + 1), shares[bin]);
    if (bin + 1 < kBins && shares[bin + 1] > 0) continue;
    vertex(lower_end(bin + 1), floor);
    text += '\n';
  }
  return text;
}

}  // namespace

Plot plot_histograms(std::string_view title, std::string_view name, std::span<const std::string> lines,
                     std::span<const Distribution> points) {
  std::vector<Shares> all;
  for (const Distribution& point : points) all.push_back(shares_of(point));
  const Bounds bounds = bounds_of(all);
  const TimeUnit unit = time_unit_of(lower_end(bounds.last - 1));
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < lines.size(); ++i) legend.push_back({lines[i], {.color = i}});
  if (legend.size() == 1) legend.clear();
  PlotFrame frame(title, legend, {});
  frame.set_y(fmt::format("share of {} (%{})", name == "loop_delay" ? "turns" : "values",
                          bounds.shares.is_logarithmic ? ", logarithmic" : ""),
              bounds.shares);
  frame.set_x(fmt::format("{} ({})", name, unit.name), {lower_end(bounds.first), lower_end(bounds.last), true},
              1 / unit.milliseconds);
  if (bounds.has_zero) frame.extend_x(bounds.left, std::sqrt(bounds.zero_from * bounds.zero_to));
  std::string script = frame.script();
  std::vector<std::string> areas;
  std::vector<std::string> outer;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].empty()) continue;
    script += fmt::format("$point{} << END\n{}END\n", i, outlines(all[i], bounds, frame.y().from));
    const std::string_view color = gnuplot_color(i);
    if (all.size() <= kMostFilled) {
      areas.push_back(fmt::format(
          "$point{} with filledcurves closed fs transparent solid 0.22 noborder lc rgb '{}' notitle", i, color));
    }
    outer.push_back(fmt::format("$point{} with lines lw 2 lc rgb '{}' notitle", i, color));
  }
  areas.insert(areas.end(), outer.begin(), outer.end());  // lines are drawn over all areas
  script += fmt::format("plot {}\n", fmt::join(areas, ", \\\n     "));
  return {std::move(script), "", frame.width(), frame.height()};
}

}  // namespace loopsim::cli
