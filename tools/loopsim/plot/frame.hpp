// What is around the data of a plot: title, legend, notes, axes with ticks. It decides where everything is, in pixels,
// so that nothing overlaps.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/loopsim/plot/axis.hpp"

namespace loopsim::cli {

// How a line is drawn.
struct LineStyle {
  std::size_t color = 0;   // gnuplot_color()
  std::size_t dash = 0;    // 0 is solid
  int shape = 0;           // of its marks, a gnuplot point type; 0: none
  double size = 0;         // of its marks
  bool has_stroke = true;  // false: marks only

  // "lw 2 dt (4,9) lc rgb '#0072b2'"
  [[nodiscard]] std::string stroke() const;
};

struct LegendEntry {
  std::string name;
  LineStyle style;
};

class PlotFrame {
 public:
  // `legend` has the lines in their order; empty: no legend. `notes` stand below it.
  PlotFrame(std::string_view title, std::span<const LegendEntry> legend, std::span<const std::string> notes);

  // First the axis of heights, since the width of its labels decides how long the other is. The range is rounded to
  // ticks. Labels are the places times `factor`.
  void set_y(std::string_view name, const AxisRange& range, double factor = 1);
  void set_x(std::string_view name, const AxisRange& range, double factor = 1);
  // Categories at 0, 1, 2 ...; their names are turned or cut off if there is no room for them.
  void set_categories(std::string_view name, std::span<const std::string> names);
  // Begins the x axis further left, at `from`, with a tick for zeros at `zero`.
  void extend_x(double from, double zero);

  [[nodiscard]] const AxisRange& x() const { return x_; }
  [[nodiscard]] const AxisRange& y() const { return y_; }
  [[nodiscard]] double length_of_x() const;  // in pixels
  [[nodiscard]] double length_of_y() const;
  // Pixels from the lower or left end of the axis; NaN for NaN.
  [[nodiscard]] double pixel_of_y(double value) const;
  [[nodiscard]] double pixel_of_x(double value) const;

  [[nodiscard]] int width() const { return kWidth; }
  [[nodiscard]] int height() const;
  // The script up to the data.
  [[nodiscard]] std::string script() const;

 private:
  static constexpr int kWidth = 960;

  [[nodiscard]] double top() const;
  [[nodiscard]] double bottom() const;

  // A legend's entry, from the left end of the axes.
  struct Placed {
    LegendEntry entry;
    double x = 0;
    std::size_t row = 0;
  };
  [[nodiscard]] std::string legend_script() const;

  std::string title_;
  std::vector<Placed> legend_;
  std::size_t rows_ = 0;  // of the legend
  std::vector<std::string> notes_;
  std::string x_name_, y_name_;
  AxisRange x_, y_;
  std::vector<Tick> x_ticks_, y_ticks_;
  double left_ = 0;
  double turned_ = 0;  // height of turned labels below the x axis
};

}  // namespace loopsim::cli
