#include "tools/loopsim/plot/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tools/loopsim/plot/axis.hpp"
#include "tools/loopsim/plot/coincidence.hpp"
#include "tools/loopsim/plot/frame.hpp"

namespace loopsim::cli {
namespace {

constexpr std::array kShapes = {7, 5, 9, 13, 11, 15, 6, 4};  // circle, square, triangle, diamond, ...; filled first
constexpr double kBeside = 0.08;                             // offset of a line, in distances between categories
constexpr std::size_t kMostMarks = 60;                       // of a line; more would be a blot
constexpr double kMarkSize = 0.5;
constexpr double kMarkStep = 0.25;
constexpr std::size_t kMostNamed = 3;  // points beyond the axis that a note names

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.10g}", value) : "NaN"; }

std::string with_unit(std::string_view name, std::string_view unit) {
  return unit.empty() ? std::string(name) : fmt::format("{} ({})", name, unit);
}

// Three or more positive values at about equal ratios, spanning a decade or more, get a logarithmic axis.
bool at_equal_ratios(const std::vector<double>& sorted) {
  if (sorted.size() < 3 || sorted.front() <= 0 || sorted.back() / sorted.front() < 10) return false;
  const double first = sorted[1] / sorted[0];
  for (std::size_t i = 1; i + 1 < sorted.size(); ++i) {
    const double ratio = sorted[i + 1] / sorted[i];
    if (ratio < 0.9 * first || ratio > 1.1 * first) return false;
  }
  return true;
}

class LineChart {
 public:
  explicit LineChart(const Chart& chart) : chart_(chart) {
    for (ChartLine& line : chart_.lines) std::ranges::stable_sort(line.points, {}, &ChartPoint::x);
    find_places();
    find_heights();
  }

  [[nodiscard]] Plot plot() {
    // Which lines coincide depends on the frame, and the frame on what the legend says of them: the first frame has the
    // legend without it.
    const std::vector<std::string> notes = this->notes();
    std::vector<LegendEntry> entries = legend(std::vector<Company>(chart_.lines.size()));
    entries = legend(lines_together(pixels(framed(entries, notes))));
    const PlotFrame frame = framed(entries, notes);
    Plot plot;
    plot.width = frame.width();
    plot.height = frame.height();
    plot.numbers = chart_.numbers;
    plot.script = frame.script() + data(frame) + drawing(entries);
    return plot;
  }

 private:
  void find_places() {
    for (const ChartLine& line : chart_.lines) {
      for (const ChartPoint& point : line.points) places_.push_back(point.x);
    }
    std::ranges::sort(places_);
    places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
    if (chart_.x_is_time && !places_.empty()) x_unit_ = time_unit_of(std::max(places_.back(), -places_.front()));
    x_range_ = {places_.empty() ? 0 : places_.front(), places_.empty() ? 1 : places_.back(), at_equal_ratios(places_)};
    if (!(x_range_.to > x_range_.from)) {
      const double around = x_range_.from == 0 ? 1 : std::abs(x_range_.from) / 2;
      x_range_ = {x_range_.from - around, x_range_.from + around};
    }
  }

  void find_heights() {
    std::vector<double> lows;
    std::vector<double> highs;
    for (const ChartLine& line : chart_.lines) {
      for (const ChartPoint& point : line.points) {
        heights_.push_back(point.height);
        lows.push_back(point.low);
        highs.push_back(point.high);
      }
    }
    y_range_ = range_of_heights(heights_, lows, highs);
    double highest = 0;
    for (const double height : heights_) highest = std::isfinite(height) ? std::max(highest, height) : highest;
    // A share that comes near to 1 is shown up to 1.
    if (chart_.y_unit.empty() && highest > 0.8 && highest <= 1 && y_range_.from == 0) y_range_.to = 1;
    if (chart_.y_unit == "ms") y_unit_ = time_unit_of(std::min(highest, y_range_.to));
  }

  [[nodiscard]] double y_factor() const { return chart_.y_unit == "ms" ? 1 / y_unit_.milliseconds : 1; }
  [[nodiscard]] std::string_view y_unit() const {
    return chart_.y_unit == "ms" ? y_unit_.name : std::string_view(chart_.y_unit);
  }

  [[nodiscard]] std::vector<LegendEntry> legend(const std::vector<Company>& company) const {
    std::size_t highest_rank = 0;
    for (const Company& one : company) highest_rank = std::max(highest_rank, one.rank);
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      const ChartLine& line = chart_.lines[i];
      LegendEntry& entry = entries.emplace_back();
      entry.name = line.name;
      if (company[i].same_as) entry.name += fmt::format(" (coincides with {})", chart_.lines[*company[i].same_as].name);
      entry.style.color = i;
      entry.style.dash = company[i].dash;
      entry.style.has_stroke = !has_categories();
      if (has_categories() || line.points.size() <= kMostMarks) entry.style.shape = kShapes[i % kShapes.size()];
      // Marks of lines that run together are within each other.
      entry.style.size = kMarkSize + kMarkStep * static_cast<double>(highest_rank - company[i].rank);
    }
    return entries;
  }

  [[nodiscard]] PlotFrame framed(std::span<const LegendEntry> legend, std::span<const std::string> notes) const {
    const bool is_alone = legend.size() == 1 && legend.front().name.empty();
    PlotFrame frame(chart_.title, is_alone ? std::span<const LegendEntry>{} : legend, notes);
    const std::string_view logarithmic = y_range_.is_logarithmic ? ", logarithmic" : "";
    std::string unit(y_unit());
    unit += y_unit().empty() && !logarithmic.empty() ? "logarithmic" : logarithmic;
    frame.set_y(with_unit(chart_.y_name, unit), y_range_, y_factor());
    if (chart_.categories.empty()) {
      frame.set_x(with_unit(chart_.x_name, chart_.x_is_time ? x_unit_.name : ""), x_range_,
                  chart_.x_is_time ? 1 / x_unit_.milliseconds : 1);
    } else {
      frame.set_categories(chart_.x_name, chart_.categories);
    }
    return frame;
  }

  // Points beyond the axis, the highest first.
  [[nodiscard]] std::vector<std::string> notes() const {
    if (!y_range_.is_cut) return {};
    std::vector<const ChartPoint*> beyond;
    for (const ChartLine& line : chart_.lines) {
      for (const ChartPoint& point : line.points) {
        if (is_beyond(point)) beyond.push_back(&point);
      }
    }
    std::ranges::stable_sort(beyond, {}, [](const ChartPoint* point) { return -point->height; });
    std::string note = "▲ higher than this axis:";
    for (std::size_t i = 0; i < std::min(beyond.size(), kMostNamed); ++i) {
      const std::string value = fmt::format("{:.4g} {}", beyond[i]->height * y_factor(), y_unit());
      note += fmt::format("{} {} at {}", i == 0 ? "" : ",", value.substr(0, value.find_last_not_of(' ') + 1),
                          beyond[i]->where);
    }
    if (beyond.size() > kMostNamed) note += fmt::format(", and {} more", beyond.size() - kMostNamed);
    return {note};
  }

  [[nodiscard]] bool is_beyond(const ChartPoint& point) const {
    return y_range_.is_cut && std::isfinite(point.height) && point.height > y_range_.to;
  }

  [[nodiscard]] std::vector<std::vector<double>> pixels(const PlotFrame& frame) const {
    std::vector<std::vector<double>> all;
    for (const ChartLine& line : chart_.lines) {
      std::vector<double> own(places_.size(), std::numeric_limits<double>::quiet_NaN());
      for (const ChartPoint& point : line.points) {
        const auto place = std::ranges::lower_bound(places_, point.x) - places_.begin();
        own[static_cast<std::size_t>(place)] = frame.pixel_of_y(point.height);
      }
      all.push_back(std::move(own));
    }
    return all;
  }

  // Where a value is drawn: in a logarithmic range not below its end.
  static double drawn(double value, const PlotFrame& frame) {
    return frame.y().is_logarithmic && value < frame.y().from ? frame.y().from : value;
  }

  [[nodiscard]] std::string data(const PlotFrame& frame) const {
    std::string text;
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      const auto lines = static_cast<double>(chart_.lines.size());
      const double aside = has_categories() ? kBeside * (static_cast<double>(i) - (lines - 1) / 2) : 0;
      std::string cut;
      text += fmt::format("$line{} << END\n", i);
      for (const ChartPoint& point : chart_.lines[i].points) {
        const bool has_interval = std::isfinite(point.low) && std::isfinite(point.high) && std::isfinite(point.height);
        const double height = drawn(point.height, frame);
        double low = has_interval ? drawn(point.low, frame) : height;
        double high = has_interval ? drawn(point.high, frame) : height;
        if (is_beyond(point)) low = high = std::nan("");  // the band ends there
        text += fmt::format("{} {} {} {}\n", number(point.x + aside), number(height), number(low), number(high));
        if (is_beyond(point)) cut += fmt::format("{} {}\n", number(point.x + aside), number(frame.y().to));
      }
      text += "END\n";
      if (!cut.empty()) text += fmt::format("$beyond{} << END\n{}END\n", i, cut);
    }
    return text;
  }

  [[nodiscard]] bool has_categories() const { return !chart_.categories.empty(); }

  [[nodiscard]] std::string drawing(std::span<const LegendEntry> entries) const {
    std::vector<std::string> bands;
    std::vector<std::string> lines;
    std::vector<std::string> beyond;
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      const ChartLine& line = chart_.lines[i];
      const LineStyle& style = entries[i].style;
      const std::string_view color = gnuplot_color(i);
      if (std::ranges::any_of(line.points, [this](const ChartPoint& point) { return is_beyond(point); })) {
        beyond.push_back(fmt::format("$beyond{} using 1:2 with points pt 9 ps 1.2 lc rgb '{}' notitle", i, color));
      }
      const std::string mark = style.shape == 0 ? "" : fmt::format("pt {} ps {:.2f} ", style.shape, style.size);
      if (has_categories()) {
        lines.push_back(fmt::format("$line{} using 1:2:3:4 with yerrorbars {}{} notitle", i, mark, style.stroke()));
        continue;
      }
      bands.push_back(fmt::format(
          "$line{} using 1:3:4 with filledcurves fs transparent solid 0.2 noborder lc rgb '{}' notitle", i, color));
      lines.push_back(fmt::format("$line{} using 1:2 with {} {}{} notitle", i, mark.empty() ? "lines" : "linespoints",
                                  mark, style.stroke()));
    }
    bands.insert(bands.end(), lines.begin(), lines.end());  // lines on top of all bands
    bands.insert(bands.end(), beyond.begin(), beyond.end());
    return fmt::format("set clip two\nplot {}\n", fmt::join(bands, ", \\\n     "));
  }

  Chart chart_;
  std::vector<double> places_;  // of all lines, sorted
  std::vector<double> heights_;
  AxisRange x_range_, y_range_;
  TimeUnit x_unit_, y_unit_;
};

}  // namespace

Plot draw(const Chart& chart) { return LineChart(chart).plot(); }

}  // namespace loopsim::cli
