#include "tools/loopsim/sweep/distribution_plot.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/plot/coincidence.hpp"
#include "tools/loopsim/plot/frame.hpp"
#include "tools/loopsim/sweep/histogram_plot.hpp"

namespace loopsim::cli {
namespace {

constexpr double kNanosecond = 1e-6;  // in ms
constexpr double kWide = 30;          // a tail that many times as long as the median needs a logarithmic axis
constexpr double kVisible = 0.4;      // pixels

struct Vertex {
  double x = 0;  // ms
  double share = 0;
};

// The function's steps: at each upper end of a bucket, the share of values up to there, or beyond.
std::vector<Vertex> steps_of(const Distribution& distribution, bool is_complementary) {
  std::vector<Vertex> steps;
  std::uint64_t seen = 0;
  for (const auto& [high, bucket] : distribution.buckets) {
    seen += bucket.count;
    const std::uint64_t counted = is_complementary ? distribution.values - seen : seen;
    steps.push_back({static_cast<double>(high) * kNanosecond,
                     static_cast<double>(counted) / static_cast<double>(distribution.values)});
  }
  return steps;
}

// The range of times of all points; logarithmic if a few long ones would press most others together.
AxisRange range_of_times(std::span<const Distribution> points) {
  double longest = 0;
  double shortest = 0;  // above 0
  double lowest = 0;
  double median = 0;
  bool is_first = true;
  for (const Distribution& point : points) {
    if (point.values == 0) continue;
    const auto positive = point.buckets.upper_bound(0);
    const double first = static_cast<double>(point.buckets.begin()->first) * kNanosecond;
    longest = std::max(longest, static_cast<double>(point.buckets.rbegin()->first) * kNanosecond);
    if (positive != point.buckets.end()) {
      const double least = static_cast<double>(positive->first) * kNanosecond;
      shortest = shortest == 0 ? least : std::min(shortest, least);
    }
    const double half = static_cast<double>(point.quantile(0.5)) * kNanosecond;
    lowest = is_first ? first : std::min(lowest, first);
    if (half > 0) median = median == 0 ? half : std::min(median, half);
    is_first = false;
  }
  if (longest == 0) return {0, 1};
  if (median == 0) median = shortest;
  if (longest > kWide * median && longest > shortest * 10) {
    // The axis is for the values from about the median on: a few that are very short must not take most of it.
    AxisRange range = {std::max(shortest, median / 100), longest, true, lowest == 0, false};
    if (range.has_zero) range.from /= 3;
    return range;
  }
  const double span = longest - lowest;
  const double from = lowest < 0.3 * longest ? 0 : std::max(0.0, lowest - 0.05 * span);
  return {from, longest + 0.03 * (longest - from)};
}

class CdfPlot {
 public:
  CdfPlot(bool is_complementary, std::string_view title, std::string_view name, std::span<const std::string> lines,
          std::span<const Distribution> points)
      : is_complementary_(is_complementary),
        title_(title),
        name_(name),
        lines_(lines.begin(), lines.end()),
        times_(range_of_times(points)) {
    std::uint64_t most = 1;
    for (const Distribution& point : points) {
      steps_.push_back(steps_of(point, is_complementary));
      most = std::max(most, point.values);
    }
    // Below one value in all there is nothing.
    shares_ = is_complementary ? AxisRange{0.8 / static_cast<double>(most), 1, true} : AxisRange{0, 1};
  }

  [[nodiscard]] Plot plot() {
    const PlotFrame first = framed(legend(std::vector<Company>(lines_.size())));
    std::vector<std::vector<double>> sampled;
    for (const std::vector<Vertex>& steps : steps_) sampled.push_back(sampled_pixels(steps, first));
    const std::vector<LegendEntry> entries = legend(lines_together(sampled));
    const PlotFrame frame = framed(entries);
    std::string script = frame.script();
    std::vector<std::string> drawn;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].empty()) continue;
      script += fmt::format("$point{} << END\n{}END\n", i, vertices(steps_[i], frame));
      drawn.push_back(fmt::format("$point{} with lines {} notitle", i, entries[i].style.stroke()));
    }
    script += fmt::format("set clip two\nplot {}\n", fmt::join(drawn, ", \\\n     "));
    return {std::move(script), "", frame.width(), frame.height()};
  }

 private:
  [[nodiscard]] std::vector<LegendEntry> legend(const std::vector<Company>& company) const {
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::optional<std::size_t> same = company[i].same_as;
      std::string name = lines_[i];
      if (steps_[i].empty()) {
        name += " (no values)";
      } else if (same && !steps_[*same].empty()) {
        name += fmt::format(" (coincides with {})", lines_[*same]);
      }
      entries.push_back({std::move(name), {.color = i, .dash = company[i].dash}});
    }
    return entries;
  }

  [[nodiscard]] PlotFrame framed(std::span<const LegendEntry> legend) const {
    PlotFrame frame(title_, legend.size() > 1 ? legend : std::span<const LegendEntry>{}, {});
    const TimeUnit unit = time_unit_of(times_.to);
    frame.set_y(is_complementary_ ? "share of values above (logarithmic)" : "cumulative share of values", shares_);
    frame.set_x(fmt::format("{} ({})", name_, unit.name), times_, 1 / unit.milliseconds);
    return frame;
  }

  // The heights at each second pixel, but for those before the first value and behind the last, where all lines are
  // alike.
  [[nodiscard]] std::vector<double> sampled_pixels(const std::vector<Vertex>& steps, const PlotFrame& frame) const {
    std::vector<double> heights;
    if (steps.empty()) return heights;
    if (steps.size() == 1) {  // the place of the only step
      heights.assign(static_cast<std::size_t>(frame.length_of_x()) / 2 + 1, std::nan(""));
      const double pixel = std::clamp(frame.pixel_of_x(steps.front().x), 0.0, frame.length_of_x());
      heights[static_cast<std::size_t>(pixel / 2)] = 0;
      return heights;
    }
    std::size_t next = 0;
    for (double pixel = 0; pixel <= frame.length_of_x(); pixel += 2) {
      while (next < steps.size() && frame.pixel_of_x(steps[next].x) <= pixel) ++next;
      const bool is_within = next > 0 && next < steps.size();
      heights.push_back(is_within ? frame.pixel_of_y(steps[next - 1].share) : std::nan(""));
    }
    return heights;
  }

  // The corners of the steps, but for those that cannot be seen.
  [[nodiscard]] std::string vertices(const std::vector<Vertex>& steps, const PlotFrame& frame) const {
    std::string text;
    const double floor = frame.y().from;
    const auto vertex = [&](double x, double share) {
      text += fmt::format("{:.9g} {:.9g}\n", std::max(x, frame.x().from), std::max(share, floor));
    };
    double share = is_complementary_ ? 1 : 0;
    double last_x = frame.x().from;
    double last_share = share;
    vertex(last_x, share);
    for (const Vertex& step : steps) {
      const bool is_last = &step == &steps.back();
      const double away = std::abs(frame.pixel_of_x(step.x) - frame.pixel_of_x(last_x)) +
                          std::abs(frame.pixel_of_y(step.share) - frame.pixel_of_y(last_share));
      if (!is_last && away < kVisible) {
        share = step.share;
        continue;
      }
      vertex(step.x, share);
      vertex(step.x, step.share);
      share = step.share;
      last_x = step.x;
      last_share = share;
    }
    if (!is_complementary_) vertex(frame.x().to, 1);
    return text;
  }

  bool is_complementary_;
  std::string title_;
  std::string name_;
  std::vector<std::string> lines_;
  AxisRange times_, shares_;
  std::vector<std::vector<Vertex>> steps_;
};

}  // namespace

std::string wrong_for_distribution_plot(std::span<const Dimension> dimensions, DistributionPlot kind) {
  std::size_t points = 1;
  for (const Dimension& dimension : dimensions) points *= dimension.values.size();
  if (points <= kGnuplotColors) return "";
  return fmt::format("the plot of the {} has a line for each point: {} are too many, {} can be told apart",
                     kind == DistributionPlot::histogram ? "histogram" : "distribution", points, kGnuplotColors);
}

bool has_values(std::string_view name, std::span<const Distribution> points) {
  if (std::ranges::any_of(points, [](const Distribution& point) { return point.values > 0; })) return true;
  report_error(fmt::format("there is no {} to plot: no run has a value that counts", name));
  return false;
}

Plot plot_distributions(DistributionPlot kind, std::string_view title, std::string_view name,
                        std::span<const std::string> lines, std::span<const Distribution> points) {
  if (kind == DistributionPlot::histogram) return plot_histograms(title, name, lines, points);
  return CdfPlot(kind == DistributionPlot::ccdf, title, name, lines, points).plot();
}

}  // namespace loopsim::cli
