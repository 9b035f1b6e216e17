#include "tools/loopsim/plot/frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "tools/loopsim/io/gnuplot.hpp"

namespace loopsim::cli {
namespace {

// Pixels.
constexpr int kTitleSize = 22;
constexpr int kNoteSize = 16;
constexpr double kTitleBottom = 56;
constexpr double kLegendRow = 28;
constexpr double kNoteRow = 24;
constexpr double kAboveAxes = 16;
constexpr double kBelowAxes = 98;
constexpr double kRight = 36;
constexpr double kSample = 46;  // of a line in the legend
constexpr double kBehindSample = 10;
constexpr double kBetweenEntries = 30;
constexpr double kLeastLeft = 96;
constexpr int kHeight = 600;
constexpr std::size_t kRowsInHeight = 2;  // further ones make the picture higher
constexpr double kLongestCategory = 230;
constexpr double kTurn = 35;  // degrees

std::string ticks_script(std::string_view axis, const std::vector<Tick>& ticks) {
  std::string text;
  for (const Tick& tick : ticks) {
    text += fmt::format("{}{} {:.12g} {}", text.empty() ? fmt::format("set {}tics (", axis) : ", ",
                        gnuplot_text(tick.label), tick.place, tick.label.empty() ? 1 : 0);
  }
  return text.empty() ? fmt::format("unset {}tics\n", axis) : text + ")\n";
}

std::string range_script(std::string_view axis, const AxisRange& range) {
  return fmt::format("{}set {}range [{:.12g}:{:.12g}]\n",
                     range.is_logarithmic ? fmt::format("set logscale {}\n", axis) : "", axis, range.from, range.to);
}

double pixel_of(double value, const AxisRange& range, double length) {
  if (!range.is_logarithmic) return (value - range.from) / (range.to - range.from) * length;
  if (!(value > range.from)) return std::isnan(value) ? value : 0;
  return std::log(value / range.from) / std::log(range.to / range.from) * length;
}

// Ticks of a range that is set already. Zeros of a logarithmic one are at its lower end.
std::vector<Tick> ticks_of(const AxisRange& range, double length, LabelSide side, double factor) {
  if (!range.is_logarithmic) return linear_ticks(range.from, range.to, length, side, factor);
  if (!range.has_zero) return logarithmic_ticks(range.from, range.to, length, side, factor);
  const double lowest = range.from * 2;  // keeps labels off the zero
  std::vector<Tick> ticks = logarithmic_ticks(lowest, range.to, length, side, factor);
  ticks.insert(ticks.begin(), {range.from, "0"});
  return ticks;
}

}  // namespace

std::string LineStyle::stroke() const {
  constexpr std::array<std::string_view, 4> kDashes = {"", "dt (12,9) ", "dt (4,9) ", "dt (2,16) "};
  return fmt::format("lw 2 {}lc rgb '{}'", kDashes[std::min(dash, kDashes.size() - 1)], gnuplot_color(color));
}

PlotFrame::PlotFrame(std::string_view title, std::span<const LegendEntry> legend, std::span<const std::string> notes)
    : title_(plot_text_within(title, kWidth - kLeastLeft - kRight, kTitleSize)), notes_(notes.begin(), notes.end()) {
  double x = 0;
  for (const LegendEntry& entry : legend) {
    const double width = kSample + kBehindSample + plot_text_width(entry.name);
    if (rows_ == 0 || x + width > kWidth - kLeastLeft - kRight) {
      ++rows_;
      x = 0;
    }
    legend_.push_back({entry, x, rows_ - 1});
    x += width + kBetweenEntries;
  }
}

double PlotFrame::top() const {
  return kTitleBottom + kLegendRow * static_cast<double>(rows_) + kNoteRow * static_cast<double>(notes_.size()) +
         kAboveAxes;
}

double PlotFrame::bottom() const { return kBelowAxes + turned_; }

int PlotFrame::height() const {
  const std::size_t more = std::max(rows_ + notes_.size(), kRowsInHeight) - kRowsInHeight;
  return kHeight + static_cast<int>(kLegendRow * static_cast<double>(more) + turned_);
}

double PlotFrame::length_of_x() const { return kWidth - left_ - kRight; }
double PlotFrame::length_of_y() const { return height() - top() - bottom(); }
double PlotFrame::pixel_of_x(double value) const { return pixel_of(value, x_, length_of_x()); }
double PlotFrame::pixel_of_y(double value) const { return pixel_of(value, y_, length_of_y()); }

void PlotFrame::set_y(std::string_view name, const AxisRange& range, double factor) {
  y_name_ = plot_text_within(name, length_of_y() + 90);  // it may be longer than the axis
  y_ = rounded(range, length_of_y(), factor);
  y_ticks_ = ticks_of(y_, length_of_y(), LabelSide::beside, factor);
  double widest = 0;
  for (const Tick& tick : y_ticks_) widest = std::max(widest, plot_text_width(tick.label));
  left_ = std::max(kLeastLeft, widest + 70);
}

void PlotFrame::set_x(std::string_view name, const AxisRange& range, double factor) {
  x_name_ = plot_text_within(name, length_of_x());
  x_ = range;
  x_ticks_ = ticks_of(x_, length_of_x(), LabelSide::below, factor);
}

void PlotFrame::extend_x(double from, double zero) {
  x_.from = from;
  const double around = pixel_of_x(zero) + plot_text_width("0") / 2 + 12;
  for (Tick& tick : x_ticks_) {
    if (pixel_of_x(tick.place) - plot_text_width(tick.label) / 2 < around) tick.label.clear();
  }
  x_ticks_.insert(x_ticks_.begin(), {zero, "0"});
}

void PlotFrame::set_categories(std::string_view name, std::span<const std::string> names) {
  x_name_ = plot_text_within(name, length_of_x());
  x_ = {-0.5, static_cast<double>(names.size()) - 0.5};
  const double room = length_of_x() / static_cast<double>(names.size()) - 14;
  double longest = 0;
  for (const std::string& one : names) longest = std::max(longest, plot_text_width(one));
  const bool is_turned = longest > room;
  longest = std::min(longest, kLongestCategory);
  if (is_turned) turned_ = std::max(0.0, longest * std::sin(kTurn / 57.3) - 4);
  // Where even turned ones would overlap, some are left out.
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(kPlotFont * 1.4 / (room + 14))));
  for (std::size_t i = 0; i < names.size(); i += every) {
    x_ticks_.push_back({static_cast<double>(i), plot_text_within(names[i], kLongestCategory)});
  }
}

std::string PlotFrame::legend_script() const {
  std::string text;
  for (const Placed& placed : legend_) {
    const LineStyle& style = placed.entry.style;
    const double y = 1 - (kTitleBottom + kLegendRow * (static_cast<double>(placed.row) + 0.5)) / height();
    const auto x = [&](double more) { return (left_ + placed.x + more) / kWidth; };
    if (style.has_stroke) {
      text += fmt::format("set arrow from screen {:.5f}, screen {:.5f} to screen {:.5f}, screen {:.5f} nohead {}\n",
                          x(0), y, x(kSample), y, style.stroke());
    }
    if (style.shape != 0) {
      text += fmt::format("set label '' at screen {:.5f}, screen {:.5f} point pt {} ps {:.2f} lc rgb '{}' front\n",
                          x(kSample / 2), y, style.shape, style.size, gnuplot_color(style.color));
    }
    text += fmt::format("set label {} at screen {:.5f}, screen {:.5f} left front textcolor rgb '{}'\n",
                        gnuplot_text(plot_text_within(placed.entry.name, kWidth - left_ - kRight - kSample)),
                        x(kSample + kBehindSample), y, gnuplot_ink());
  }
  return text;
}

std::string PlotFrame::script() const {
  const auto across = [](double pixels) { return pixels / kWidth; };
  const auto down = [this](double pixels) { return 1 - pixels / height(); };
  std::string text = gnuplot_beginning();
  text += fmt::format("set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset tmargin at screen {:.5f}\n",
                      across(left_), across(kWidth - kRight), down(top()));
  text += fmt::format("set bmargin at screen {:.5f}\n", 1 - down(bottom()));
  text += fmt::format("set label {} at screen {:.5f}, screen {:.5f} left front font ',{}' textcolor rgb '{}'\n",
                      gnuplot_text(title_), across(left_), down(kTitleBottom - 26), kTitleSize, gnuplot_ink());
  text += "unset key\n" + legend_script();
  double y = kTitleBottom + kLegendRow * static_cast<double>(rows_);
  for (const std::string& note : notes_) {
    text += fmt::format("set label {} at screen {:.5f}, screen {:.5f} left front font ',{}' textcolor rgb '{}'\n",
                        gnuplot_text(plot_text_within(note, kWidth - left_ - kRight, kNoteSize)), across(left_),
                        down(y + kNoteRow / 2), kNoteSize, gnuplot_ink());
    y += kNoteRow;
  }
  text += range_script("y", y_) + ticks_script("y", y_ticks_) + range_script("x", x_);
  if (turned_ > 0) text += fmt::format("set xtics rotate by -{} left offset 0, 0\n", kTurn);
  text += ticks_script("x", x_ticks_);
  text += fmt::format("set label {} at screen {:.5f}, graph 0.5 center rotate by 90 textcolor rgb '{}'\n",
                      gnuplot_text(y_name_), across(24), gnuplot_ink());
  text += fmt::format("set label {} at graph 0.5, screen {:.5f} center textcolor rgb '{}'\n", gnuplot_text(x_name_),
                      1 - down(26), gnuplot_ink());
  return text;
}

}  // namespace loopsim::cli
