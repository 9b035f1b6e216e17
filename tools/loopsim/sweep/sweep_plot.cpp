#include "tools/loopsim/sweep/sweep_plot.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tools/loopsim/plot/axis.hpp"
#include "tools/loopsim/plot/chart.hpp"

namespace loopsim::cli {

std::string wrong_for_plot(std::span<const Dimension> dimensions) {
  if (dimensions.empty()) return "a plot needs something that is varied";
  std::size_t lines = 1;
  for (const Dimension& dimension : dimensions.subspan(1)) lines *= dimension.values.size();
  if (lines <= kGnuplotColors) return "";
  return fmt::format(
      "a plot has a line for each combination of all but the first --vary: {} are too many, {} can be told apart",
      lines, kGnuplotColors);
}

std::string point_name(std::span<const Dimension> dimensions, std::uint64_t point, std::size_t first) {
  std::string name;
  for (std::size_t i = dimensions.size(); i-- > first;) {
    const std::vector<std::string> all = shown_values(dimensions[i].values);
    name = fmt::format("{} = {}{}{}", dimensions[i].name, all[point % all.size()], name.empty() ? "" : ", ", name);
    point /= all.size();
  }
  return name;
}

Plot sweep_plot(std::string_view title, std::span<const Dimension> dimensions, const SummaryTable& table,
                std::span<const SummaryPoint> points) {
  const Dimension& across = dimensions.front();
  const Places places = places_of(across.values);
  const std::size_t lines = points.size() / across.values.size();

  Chart chart;
  chart.title = title;
  chart.x_name = across.name;
  chart.x_is_time = places.are_durations;
  chart.y_name = table.metrics.front();
  chart.y_unit = table.units.front();
  if (places.numbers.empty()) chart.categories = across.values;
  for (std::size_t line = 0; line < lines; ++line) {
    ChartLine& own = chart.lines.emplace_back();
    own.name = point_name(dimensions, line, 1);
    for (std::size_t i = 0; i < across.values.size(); ++i) {
      const Estimate& estimate = points[i * lines + line].estimates.front();
      const double x = places.numbers.empty() ? static_cast<double>(i) : places.numbers[i];
      const double mean = estimate.count == 0 ? std::nan("") : estimate.mean;
      own.points.push_back(
          {x, mean, mean - estimate.half_width, mean + estimate.half_width, point_name(dimensions, i * lines + line)});
    }
  }

  SummaryTable numbers = {table.dimensions, {table.metrics.front()}, {table.units.front()}};
  std::vector<SummaryPoint> rows(points.begin(), points.end());
  for (SummaryPoint& row : rows) row.estimates.resize(1);
  chart.numbers = summary_csv(numbers, rows);
  return draw(chart);
}

}  // namespace loopsim::cli
