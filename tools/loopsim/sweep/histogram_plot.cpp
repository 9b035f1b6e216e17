#include "tools/loopsim/sweep/histogram_plot.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "tools/loopsim/io/gnuplot.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/line/message.hpp"

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

std::size_t bin_of(std::uint64_t delay) {
  if (delay == 0) return 0;
  const std::uint64_t most = kEdges.back() / 100;
  const auto* const above = std::upper_bound(kEdges.begin() + 1, kEdges.end(), std::min(delay, most) * 100);
  return static_cast<std::size_t>(above - kEdges.begin()) - 1;
}

double lower_end(std::size_t bin) {  // in ns; also for the bin after the last
  return bin < kBins ? static_cast<double>(kEdges[bin]) / 100 : std::pow(10, kDecades);
}

// ---- reading -------------------------------------------------------------------------------------------------------

// Removes a number and the character `behind` it from the text. Nothing if they are missing.
std::optional<std::uint64_t> take_number(std::string_view& text, char behind) {
  std::uint64_t number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stopped - text.data()));
  if (text.empty() && behind == ' ') return number;  // no blank after the last entry
  if (text.empty() || text.front() != behind) return std::nullopt;
  text.remove_prefix(1);
  return number;
}

// ---- drawing -------------------------------------------------------------------------------------------------------

// A bin below this share of the highest is invisible on a linear axis.
constexpr double kTooLow = 0.01;
constexpr std::size_t kMostFilled = 3;  // more overlapping areas would hide the lines

std::string time_text(double nanoseconds) {
  if (nanoseconds >= 1e9) return fmt::format("{:g} s", nanoseconds / 1e9);
  if (nanoseconds >= 1e6) return fmt::format("{:g} ms", nanoseconds / 1e6);
  if (nanoseconds >= 1e3) return fmt::format("{:g} µs", nanoseconds / 1e3);
  return fmt::format("{:g} ns", nanoseconds);
}

// Axes common to all series.
struct Frame {
  std::size_t first = 0;  // bins above 0, [first, last)
  std::size_t last = 0;
  bool has_zero = false;
  bool logarithmic = false;  // scale of the shares
  double floor = 0;          // lower end of the share axis
  double zero_from = 0;      // bar of the turns without delay: left of all others
  double zero_to = 0;
  double left = 0;
};

using Shares = std::vector<double>;  // per bin, in percent; empty: no turns

Frame frame_of(std::span<const Shares> series) {
  Frame frame;
  double highest = 0;
  double lowest = 100;
  frame.first = kBins;
  for (const Shares& shares : series) {
    for (std::size_t bin = 0; bin < shares.size(); ++bin) {
      if (shares[bin] == 0) continue;
      highest = std::max(highest, shares[bin]);
      lowest = std::min(lowest, shares[bin]);
      if (bin == 0) {
        frame.has_zero = true;
      } else {
        frame.first = std::min(frame.first, bin);
        frame.last = std::max(frame.last, bin + 1);
      }
    }
  }
  if (frame.last == 0) {  // all delays are 0
    frame.first = bin_of(1'000);
    frame.last = bin_of(1'000'000);
  }
  frame.logarithmic = lowest < kTooLow * highest;
  if (frame.logarithmic) frame.floor = std::pow(10, std::floor(std::log10(lowest) - 0.01));
  // One more bin on both sides.
  frame.first = std::max<std::size_t>(frame.first, 2) - 1;
  frame.last = std::min(frame.last + 1, kBins);
  const double decades = std::log10(lower_end(frame.last) / lower_end(frame.first));
  const auto left_by = [&](double share) { return lower_end(frame.first) / std::pow(10, share * decades); };
  frame.left = frame.has_zero ? left_by(0.11) : lower_end(frame.first);
  frame.zero_from = left_by(0.085);
  frame.zero_to = left_by(0.035);
  return frame;
}

std::string tics(const Frame& frame) {
  const double from = lower_end(frame.first);
  const double to = lower_end(frame.last);
  const bool wide = to / from > 200;
  std::string text;
  const auto add = [&text](const std::string& label, double place) {
    text += fmt::format("{}{} {}", text.empty() ? "set xtics (" : ", ", gnuplot_text(label), place);
  };
  if (frame.has_zero) add("0", std::sqrt(frame.zero_from * frame.zero_to));
  for (std::size_t bin = 1; bin < kBins; ++bin) {
    const std::uint64_t step = kSteps[(bin - 1) % kSteps.size()];
    const double place = lower_end(bin);
    if (place < from || place > to) continue;
    if (step == 100 || (!wide && (step == 200 || step == 500))) add(time_text(place), place);
  }
  return text.empty() ? "" : text + ")\n";
}

// Outlines of a series, separated by blank lines: the bar of turns without delay, and each run of nonempty bins.
std::string outlines(const Shares& shares, const Frame& frame) {
  std::string text;
  const auto vertex = [&text](double x, double y) { text += fmt::format("{} {}\n", x, y); };
  if (shares[0] > 0) {
    vertex(frame.zero_from, frame.floor);
    vertex(frame.zero_from, shares[0]);
    vertex(frame.zero_to, shares[0]);
    vertex(frame.zero_to, frame.floor);
    text += '\n';
  }
  for (std::size_t bin = frame.first; bin < frame.last; ++bin) {
    if (shares[bin] == 0) continue;
    if (shares[bin - 1] == 0 || bin == 1) vertex(lower_end(bin), frame.floor);
    vertex(lower_end(bin), shares[bin]);
    vertex(lower_end(bin + 1), shares[bin]);
    if (bin + 1 < kBins && shares[bin + 1] > 0) continue;
    vertex(lower_end(bin + 1), frame.floor);
    text += '\n';
  }
  return text;
}

// "load = 0.5, n = 2".
std::string name_of(std::span<const Dimension> dimensions, std::uint64_t point) {
  std::string name;
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    const std::vector<std::string>& all = dimensions[i].values;
    name = fmt::format("{} = {}{}{}", dimensions[i].name, all[point % all.size()], name.empty() ? "" : ", ", name);
    point /= all.size();
  }
  return name;
}

}  // namespace

std::string wrong_for_histogram_plot(std::span<const Dimension> dimensions) {
  std::size_t points = 1;
  for (const Dimension& dimension : dimensions) points *= dimension.values.size();
  if (points <= kGnuplotColors) return "";
  return fmt::format("the plot of the histogram has a line for each point: {} are too many, {} can be told apart",
                     points, kGnuplotColors);
}

std::optional<std::size_t> histogram_column(std::span<const Column> columns) {
  const auto found = std::ranges::find_if(
      columns, [](const Column& column) { return column.is_metric && column.name == "loop_delay_histogram"; });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

DelayHistograms::DelayHistograms(std::span<const Column> columns, std::span<const Dimension> dimensions,
                                 std::uint64_t replications)
    : column_(histogram_column(columns).value_or(columns.size())),
      dimensions_(dimensions.begin(), dimensions.end()),
      replications_(replications) {
  std::size_t points = 1;
  for (const Dimension& dimension : dimensions) points *= dimension.values.size();
  points_.assign(points, Bins(kBins));
}

bool DelayHistograms::add(std::span<const Cell> cells) {
  const auto* const run = std::get_if<std::uint64_t>(&cells.front());
  const auto* const written = column_ < cells.size() ? std::get_if<std::string>(&cells[column_]) : nullptr;
  const std::uint64_t point = run == nullptr ? points_.size() : *run / replications_;
  bool good = written != nullptr && point < points_.size();
  if (good) {
    std::string_view text = *written;
    while (good && !text.empty()) {
      const auto low = take_number(text, '-');
      const auto high = take_number(text, ':');
      const auto count = take_number(text, ' ');
      good = low && high && count;
      // A bucket counts at its upper end, as in the quantiles.
      if (good) points_[point][bin_of(*high)] += *count;
    }
  }
  if (!good) report_error(fmt::format("the histogram of run {} cannot be read", run == nullptr ? 0 : *run));
  return good;
}

bool DelayHistograms::write(const std::string& path, std::string_view title) const {
  std::vector<Shares> series;
  for (const Bins& bins : points_) {
    std::uint64_t total = 0;
    for (const std::uint64_t turns : bins) total += turns;
    Shares& shares = series.emplace_back();
    if (total == 0) continue;
    for (const std::uint64_t turns : bins) {
      shares.push_back(100 * static_cast<double>(turns) / static_cast<double>(total));
    }
  }
  if (std::ranges::all_of(series, &Shares::empty)) {
    report_error("there is no loop delay to plot: no run has a turn of the loop that counts");
    return false;
  }

  const Frame frame = frame_of(series);
  std::string script = gnuplot_beginning(title);
  script += "set xlabel 'loop delay'\nset ylabel 'share of turns (%)'\nset logscale x\n";
  script += fmt::format("set xrange [{}:{}]\n", frame.left, lower_end(frame.last));
  script += frame.logarithmic ? fmt::format("set logscale y\nset format y '%g'\nset yrange [{}:*]\n", frame.floor)
                              : "set yrange [0:*]\n";
  script += tics(frame);
  script += series.size() > 1 ? "set key outside top center horizontal\n" : "unset key\n";
  std::vector<std::string> areas;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (series[i].empty()) continue;
    script += fmt::format("$point{} << END\n{}END\n", i, outlines(series[i], frame));
    const std::string_view color = gnuplot_color(i);
    if (series.size() <= kMostFilled) {
      areas.push_back(fmt::format(
          "$point{} with filledcurves closed fs transparent solid 0.22 noborder lc rgb '{}' notitle", i, color));
    }
    lines.push_back(
        fmt::format("$point{} with lines lw 2 lc rgb '{}' title {}", i, color, gnuplot_text(name_of(dimensions_, i))));
  }
  areas.insert(areas.end(), lines.begin(), lines.end());  // lines are drawn over all areas
  const std::optional<std::string> picture = gnuplot_svg(fmt::format("{}plot {}\n", script, fmt::join(areas, ", ")));
  return picture && write_output(path, *picture);
}

}  // namespace loopsim::cli
