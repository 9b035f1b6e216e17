// Axes of plots: where the values of a dimension are, the range that shows all of the data that can be shown at once,
// and ticks whose labels fit.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loopsim::cli {

// ---- text -----------------------------------------------------------------------------------------------------------

inline constexpr int kPlotFont = 20;  // pixels of an SVG

// The width of a text in this size, in pixels; estimated, for all fonts.
[[nodiscard]] double plot_text_width(std::string_view text, int size = kPlotFont);

// The text, or as much of its beginning as fits into the width, and "…".
[[nodiscard]] std::string plot_text_within(std::string_view text, double width, int size = kPlotFont);

// ---- units ----------------------------------------------------------------------------------------------------------

// One unit for all times of an axis or a legend.
struct TimeUnit {
  std::string_view name;    // "ns", "µs", "ms" or "s"
  double milliseconds = 1;  // one of it
};

// The unit in which a time of that many milliseconds, the largest one to be shown, has one to four digits before the
// point.
[[nodiscard]] TimeUnit time_unit_of(double largest);

// ---- dimensions -----------------------------------------------------------------------------------------------------

// The values of a dimension as numbers; durations, alone or among plain numbers of milliseconds, in ms.
struct Places {
  std::vector<double> numbers;  // empty: not all are numbers, each value is a category
  bool are_durations = false;
};
[[nodiscard]] Places places_of(std::span<const std::string> values);

// The values as they are shown: durations all in one unit, everything else as it is.
[[nodiscard]] std::vector<std::string> shown_values(std::span<const std::string> values);

// ---- ranges ---------------------------------------------------------------------------------------------------------

struct AxisRange {
  double from = 0;
  double to = 1;
  bool is_logarithmic = false;
  bool has_zero = false;  // logarithmic, and zeros are drawn at `from`
  bool is_cut = false;    // values above `to` are not in it
};

// A range for an axis of heights.
// - It begins at 0, or below the lowest negative value, or a little below values that differ by less than a quarter.
// - Few values far above all others (at most one in eight, four times as high as the next) are left out of it if they
//   would press half of the others into a twentieth of it.
// - If the values are so far apart and these are not few, it is logarithmic.
// `lows` and `highs` are the ends of the values' intervals; one that is wider than the range of values is cut.
[[nodiscard]] AxisRange range_of_heights(std::span<const double> values, std::span<const double> lows,
                                         std::span<const double> highs);

// ---- ticks ----------------------------------------------------------------------------------------------------------

struct Tick {
  double place = 0;
  std::string label;  // empty: a small tick
};

enum class LabelSide { below, beside };  // of the axis at which labels stand: where their width counts, or their height

// Ticks at multiples of 1, 2, 2.5 or 5 times a power of ten, on an axis of `length` pixels. The labels are the places
// times `factor`, all with as many decimals.
[[nodiscard]] std::vector<Tick> linear_ticks(double from, double to, double length, LabelSide side, double factor = 1);

// Ticks at powers of ten, on an axis shorter than two decades also at 2 and 5 times these; small ones between. Falls
// back to linear_ticks() within a decade.
[[nodiscard]] std::vector<Tick> logarithmic_ticks(double from, double to, double length, LabelSide side,
                                                  double factor = 1);

// Rounds the ends of a range outwards, to where a tick is.
[[nodiscard]] AxisRange rounded(AxisRange range, double length, double factor = 1);

}  // namespace loopsim::cli
