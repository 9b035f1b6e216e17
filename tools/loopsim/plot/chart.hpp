// A chart of lines with bands around them: estimates with their intervals against a dimension.
#pragma once

#include <string>
#include <vector>

#include "tools/loopsim/io/gnuplot.hpp"

namespace loopsim::cli {

struct ChartPoint {
  double x = 0;
  double height = 0;  // NaN: none
  double low = 0;     // ends of its interval; infinite: unknown
  double high = 0;
  std::string where;  // for notes: "load = 0.9"
};

struct ChartLine {
  std::string name;
  std::vector<ChartPoint> points;  // in any order
};

struct Chart {
  std::string title;
  std::string x_name;
  std::string y_name;
  std::string y_unit;                   // "ms", which another time may replace in the picture; or others, or empty
  std::vector<std::string> categories;  // not empty: each x is an index of these
  bool x_is_time = false;               // in ms
  std::vector<ChartLine> lines;         // at most kGnuplotColors
  std::string numbers;                  // for Plot
};

[[nodiscard]] Plot draw(const Chart& chart);

}  // namespace loopsim::cli
