#include "tools/loopsim/sweep/sweep_plot.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/units.hpp"

#include "tools/loopsim/io/gnuplot.hpp"
#include "tools/loopsim/io/output_file.hpp"

namespace loopsim::cli {
namespace {

// The values of the first dimension as numbers on an axis, durations in ms. Empty if not all are numbers, or not all
// durations: then each value is a category.
struct Axis {
  std::vector<double> numbers;
  bool durations = false;
  bool logarithmic = false;
};

std::optional<double> number(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<double> milliseconds(const std::string& text) {
  const ParsedDuration duration = parse_duration(text);
  if (duration.problem != DurationProblem::none) return std::nullopt;
  return static_cast<double>(duration.value) / static_cast<double>(kMillisecond);
}

// Three or more positive values at about equal ratios, spanning a decade or more, get a logarithmic axis.
bool at_equal_ratios(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  if (numbers.size() < 3 || numbers.front() <= 0 || numbers.back() / numbers.front() < 10) return false;
  const double first = numbers[1] / numbers[0];
  for (std::size_t i = 1; i + 1 < numbers.size(); ++i) {
    const double ratio = numbers[i + 1] / numbers[i];
    if (ratio < 0.9 * first || ratio > 1.1 * first) return false;
  }
  return true;
}

Axis axis_of(const std::vector<std::string>& values) {
  Axis axis;
  for (const auto& [read, durations] : {std::pair(&number, false), std::pair(&milliseconds, true)}) {
    axis.numbers.clear();
    for (const std::string& value : values) {
      if (const std::optional<double> found = read(value)) axis.numbers.push_back(*found);
    }
    axis.durations = durations;
    axis.logarithmic = axis.numbers.size() == values.size() && at_equal_ratios(axis.numbers);
    if (axis.numbers.size() == values.size()) return axis;
  }
  return {};
}

constexpr double kBeside = 0.08;  // offset of a series, in distances between categories

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

std::string gnuplot_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "NaN"; }

// The other values of a point: "busy = 5ms, n = 2".
std::string series_name(std::span<const Dimension> dimensions, const SummaryPoint& point) {
  std::string name;
  for (std::size_t i = 1; i < dimensions.size(); ++i) {
    name += fmt::format("{}{} = {}", name.empty() ? "" : ", ", dimensions[i].name, point.values[i]);
  }
  return name;
}

}  // namespace

std::string wrong_for_plot(std::span<const Dimension> dimensions) {
  if (dimensions.empty()) return "a plot needs something that is varied";
  std::size_t lines = 1;
  for (const Dimension& dimension : dimensions.subspan(1)) lines *= dimension.values.size();
  if (lines <= kGnuplotColors) return "";
  return fmt::format(
      "a plot has a line for each combination of all but the first --vary: {} are too many, {} can be told apart",
      lines, kGnuplotColors);
}

bool write_sweep_plot(const std::string& path, std::string_view title, std::span<const Dimension> dimensions,
                      const SummaryTable& table, std::span<const SummaryPoint> points) {
  const Dimension& across = dimensions.front();
  const Axis axis = axis_of(across.values);
  const bool has_places = axis.numbers.empty();
  const std::size_t lines = points.size() / across.values.size();

  std::string script = gnuplot_beginning(title);
  script += "set xlabel " + gnuplot_text(with_unit(across.name, axis.durations ? "ms" : "")) + "\n";
  script += "set ylabel " + gnuplot_text(with_unit(table.metrics.front(), table.units.front())) + "\n";
  script += lines > 1 ? "set key outside top center horizontal\n" : "unset key\n";
  if (axis.logarithmic) script += "set logscale x\n";
  script += has_places ? "set offsets 0.5, 0.5, 0, 0\n" : "set autoscale xfix\n";

  // The y axis starts at 0, so that heights can be compared, unless a mean is negative.
  const auto below = [](const SummaryPoint& point) { return point.estimates.front().mean < 0; };
  // It ends at 1 for a metric without unit whose highest mean is between 0.8 and 1.
  const auto mean_of = [](const SummaryPoint& point) {
    return point.estimates.front().count == 0 ? 0 : point.estimates.front().mean;
  };
  const double highest = points.empty() ? 0 : mean_of(*std::ranges::max_element(points, {}, mean_of));
  const bool is_share = table.units.front().empty() && highest > 0.8 && highest <= 1;
  if (std::ranges::none_of(points, below)) script += is_share ? "set yrange [0:1]\n" : "set yrange [0:*]\n";

  std::vector<std::string> bands;
  std::vector<std::string> means;
  for (std::size_t line = 0; line < lines; ++line) {
    // Categories have error bars, the series side by side, and no lines between them.
    const double aside = has_places ? kBeside * (static_cast<double>(line) - static_cast<double>(lines - 1) / 2) : 0;
    script += fmt::format("$line{} << END\n", line);
    for (std::size_t i = 0; i < across.values.size(); ++i) {
      const Estimate& estimate = points[i * lines + line].estimates.front();
      const double x = has_places ? static_cast<double>(i) + aside : axis.numbers[i];
      const double mean = estimate.count == 0 ? std::nan("") : estimate.mean;
      script += fmt::format("{} {} {} {}\n", x, gnuplot_number(mean), gnuplot_number(mean - estimate.half_width),
                            gnuplot_number(mean + estimate.half_width));
    }
    script += "END\n";
    const std::string name = gnuplot_text(series_name(dimensions, points[line]));
    const std::string_view color = gnuplot_color(line);
    if (has_places) {
      means.push_back(fmt::format("$line{} using 1:2:3:4 with yerrorbars lw 2 pt 7 ps 0.8 lc rgb '{}' title {}", line,
                                  color, name));
      continue;
    }
    bands.push_back(fmt::format(
        "$line{} using 1:3:4 with filledcurves fs transparent solid 0.22 noborder lc rgb '{}' notitle", line, color));
    means.push_back(
        fmt::format("$line{} using 1:2 with linespoints lw 2 pt 7 ps 0.5 lc rgb '{}' title {}", line, color, name));
  }
  bands.insert(bands.end(), means.begin(), means.end());  // lines on top of all bands
  if (has_places) {
    for (std::size_t i = 0; i < across.values.size(); ++i) {
      script += fmt::format("{}({} {})\n", i == 0 ? "set xtics " : "set xtics add ", gnuplot_text(across.values[i]), i);
    }
  }
  const std::optional<std::string> picture = gnuplot_svg(fmt::format("{}plot {}\n", script, fmt::join(bands, ", ")));
  return picture && write_output(path, *picture);
}

}  // namespace loopsim::cli
