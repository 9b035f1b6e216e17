#include "tools/loopsim/plot/axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "loopsim/units.hpp"

namespace loopsim::cli {
namespace {

// ---- text -----------------------------------------------------------------------------------------------------------

// Width of a character in shares of the font size, by its first byte in UTF-8: an average for sans-serif fonts.
double width_of(unsigned char lead) {
  constexpr std::string_view kNarrow = " .,:;'|!ijl()[]/";
  constexpr std::string_view kBroad = "mwMW%@";
  if (lead >= 0xe0) return 1;  // East Asian characters
  if (kNarrow.find(static_cast<char>(lead)) != std::string_view::npos) return 0.34;
  if (kBroad.find(static_cast<char>(lead)) != std::string_view::npos) return 0.95;
  return lead >= 'A' && lead <= 'Z' ? 0.72 : 0.62;
}

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

// ---- numbers --------------------------------------------------------------------------------------------------------

std::optional<double> number(std::string_view text) {
  const ParsedDouble number = parse_double(text);
  if (!number.fits || number.length == 0 || number.length != text.size()) return std::nullopt;
  return number.value;
}

std::string with_groups(std::string digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  if (point - first <= 4) return digits;
  for (std::size_t at = point; at > first + 3;) digits.insert(at -= 3, ",");
  return digits;
}

// ---- steps ----------------------------------------------------------------------------------------------------------

constexpr std::array<double, 4> kSteps = {1, 2, 2.5, 5};
constexpr double kGap = 16;     // pixels between two labels
constexpr double kLine = 46;    // pixels between two labels above each other
constexpr double kTiny = 1e-9;  // of a step: rounding
constexpr std::size_t kMostTicks = 12;

struct Step {
  double size = 1;
  int decimals = 0;
};

std::string label_of(double place, int decimals) {
  std::string text = fmt::format("{:.{}f}", place == 0 ? 0 : place, decimals);
  if (std::abs(place) >= 1e9) return fmt::format("{:g}", place);
  return with_groups(std::move(text));
}

double room_for(std::string_view label, LabelSide side) {
  return side == LabelSide::below ? plot_text_width(label) + kGap : kLine;
}

std::vector<Tick> ticks_at(double from, double to, double factor, Step step) {
  std::vector<Tick> ticks;
  const double first = std::ceil(from * factor / step.size - kTiny);
  const double last = std::floor(to * factor / step.size + kTiny);
  for (double i = first; i <= last && ticks.size() <= kMostTicks; ++i) {
    const double shown = i * step.size;
    ticks.push_back({shown / factor, label_of(shown, step.decimals)});
  }
  return ticks;
}

// The smallest step at which the labels fit.
Step step_for(double from, double to, double length, LabelSide side, double factor) {
  const double span = (to - from) * factor;
  int exponent = static_cast<int>(std::floor(std::log10(span / kMostTicks)));
  for (;; ++exponent) {
    for (const double size : kSteps) {
      const Step step = {size * std::pow(10, exponent), std::max(0, size == 2.5 ? 1 - exponent : -exponent)};
      const std::vector<Tick> ticks = ticks_at(from, to, factor, step);
      double widest = 0;
      for (const Tick& tick : ticks) widest = std::max(widest, room_for(tick.label, side));
      const bool fits = ticks.size() <= kMostTicks && step.size / span * length >= widest;
      if (fits || step.size > span) return step;
    }
  }
}

}  // namespace

// ---- text -----------------------------------------------------------------------------------------------------------

double plot_text_width(std::string_view text, int size) {
  double width = 0;
  for (const char byte : text) {
    if (begins_character(byte)) width += width_of(static_cast<unsigned char>(byte));
  }
  return width * size;
}

std::string plot_text_within(std::string_view text, double width, int size) {
  if (plot_text_width(text, size) <= width) return std::string(text);
  std::size_t end = text.size();
  while (end > 0 && plot_text_width(text.substr(0, end), size) + size > width) {
    do --end;
    while (end > 0 && !begins_character(text[end]));
  }
  while (end > 0 && text[end - 1] == ' ') --end;
  return std::string(text.substr(0, end)) + "…";
}

// ---- units ----------------------------------------------------------------------------------------------------------

TimeUnit time_unit_of(double largest) {
  constexpr std::array<TimeUnit, 3> kUnits = {{{"s", 1000}, {"ms", 1}, {"µs", 1e-3}}};
  constexpr double kMost = 10'000;  // of a unit
  if (largest >= kMost) return kUnits[0];
  for (const TimeUnit& unit : kUnits) {
    if (unit.milliseconds <= 1 && (largest == 0 || largest >= unit.milliseconds * 0.5)) return unit;
  }
  return {"ns", 1e-6};
}

// ---- dimensions -----------------------------------------------------------------------------------------------------

Places places_of(std::span<const std::string> values) {
  Places places;
  for (const std::string& value : values) {
    const ParsedDuration duration = parse_duration(value);
    const std::optional<double> plain = number(value);
    if (duration.problem == DurationProblem::none) {
      places.are_durations = true;
      places.numbers.push_back(static_cast<double>(duration.value) / static_cast<double>(kMillisecond));
    } else if (plain) {
      places.numbers.push_back(*plain);
    } else {
      return {};
    }
  }
  return places;
}

std::vector<std::string> shown_values(std::span<const std::string> values) {
  const Places places = places_of(values);
  if (!places.are_durations) return {values.begin(), values.end()};
  const TimeUnit unit = time_unit_of(std::ranges::max(places.numbers));
  std::vector<std::string> shown;
  for (const double time : places.numbers)
    shown.push_back(fmt::format("{:.6g} {}", time / unit.milliseconds, unit.name));
  return shown;
}

// ---- ranges ---------------------------------------------------------------------------------------------------------

namespace {

constexpr double kFlat = 0.05;           // of the axis: what is pressed into it cannot be told apart
constexpr double kFar = 4;               // times as high as the next
constexpr std::size_t kOneInSo = 8;      // values that may be left out
constexpr double kAlike = 0.25;          // of the highest
constexpr double kSame = 0.001;          // of the highest: values that are all the same
constexpr double kWidestInterval = 1.6;  // an interval reaches that far beyond the highest value

// How many values from the lowest on are in a linear range: all, or without those far above. 0: a logarithmic range.
std::size_t in_linear_range(const std::vector<double>& sorted) {
  const std::size_t count = sorted.size();
  const auto is_flat = [&](std::size_t shown) { return sorted[(shown - 1) / 2] <= kFlat * sorted[shown - 1]; };
  if (count < 4 || !is_flat(count)) return count;
  for (std::size_t shown = count - 1; shown > 0 && count - shown <= std::max<std::size_t>(1, count / kOneInSo);
       --shown) {
    if (sorted[shown] >= kFar * sorted[shown - 1] && !is_flat(shown)) return shown;
  }
  return 0;
}

double highest_end(double highest, std::span<const double> highs) {
  double end = highest;
  for (const double high : highs) {
    if (std::isfinite(high)) end = std::max(end, std::min(high, highest * kWidestInterval));
  }
  return end;
}

}  // namespace

AxisRange range_of_heights(std::span<const double> values, std::span<const double> lows,
                           std::span<const double> highs) {
  std::vector<double> known;
  for (const double value : values) {
    if (std::isfinite(value)) known.push_back(value);
  }
  std::ranges::sort(known);
  if (known.empty() || (known.front() == 0 && known.back() == 0)) return {};
  if (known.front() < 0) {
    AxisRange range = {known.front(), std::max(known.back(), 0.0)};
    const double span = range.to - range.from;
    for (const double low : lows)
      range.from = std::isfinite(low) ? std::min(range.from, std::max(low, known.front() - span)) : range.from;
    for (const double high : highs)
      range.to = std::isfinite(high) ? std::max(range.to, std::min(high, known.back() + span)) : range.to;
    return range;
  }

  std::vector<double> positive;
  std::ranges::copy_if(known, std::back_inserter(positive), [](double value) { return value > 0; });
  const std::size_t shown = in_linear_range(positive);
  if (shown == 0) {
    AxisRange range = {positive.front(), highest_end(positive.back(), highs), true, known.front() == 0, false};
    if (range.has_zero) range.from = std::pow(10, std::floor(std::log10(range.from)) - 0.5);
    return range;
  }
  AxisRange range = {0, highest_end(positive[shown - 1], highs)};
  range.is_cut = shown < positive.size();
  double lowest = known.front();
  for (const double low : lows) lowest = std::isfinite(low) ? std::min(lowest, low) : lowest;
  if (lowest > (1 - kAlike) * range.to && lowest < (1 - kSame) * range.to)
    range.from = std::max(0.0, lowest - 0.3 * (range.to - lowest));
  return range;
}

// ---- ticks ----------------------------------------------------------------------------------------------------------

std::vector<Tick> linear_ticks(double from, double to, double length, LabelSide side, double factor) {
  if (!(to > from)) return {{from, fmt::format("{:g}", from * factor)}};
  return ticks_at(from, to, factor, step_for(from, to, length, side, factor));
}

std::vector<Tick> logarithmic_ticks(double from, double to, double length, LabelSide side, double factor) {
  const double decades = std::log10(to / from);
  const int first = static_cast<int>(std::floor(std::log10(from * factor) + kTiny));
  const int last = static_cast<int>(std::ceil(std::log10(to * factor) - kTiny));
  if (decades < 0.9) return linear_ticks(from, to, length, side, factor);
  const auto label = [](double shown) {
    if (shown >= 1e6 || shown < 1e-4) return fmt::format("{:.0e}", shown);
    return shown >= 1000 ? with_groups(fmt::format("{:.0f}", shown)) : fmt::format("{:.6g}", shown);
  };
  double widest = 0;
  for (int decade = first; decade <= last; ++decade)
    widest = std::max(widest, room_for(label(std::pow(10, decade)), side));
  const int every = std::max(1, static_cast<int>(std::ceil(widest / (length / decades))));
  const bool has_parts = every == 1 && 0.3 * length / decades >= widest;  // 1 to 2: 0.3 of a decade
  std::vector<Tick> ticks;
  for (int decade = first; decade <= last; ++decade) {
    for (int part = 1; part <= 9; ++part) {
      const double shown = part * std::pow(10, decade);
      const double place = shown / factor;
      if (place < from * (1 - kTiny) || place > to * (1 + kTiny)) continue;
      const bool is_labelled = part == 1 ? decade % every == 0 : has_parts && (part == 2 || part == 5);
      if (is_labelled || every == 1) ticks.push_back({place, is_labelled ? label(shown) : ""});
    }
  }
  return ticks;
}

AxisRange rounded(AxisRange range, double length, double factor) {
  if (range.is_logarithmic && std::log10(range.to / range.from) >= 0.9) {
    const auto outwards = [factor](double value, bool up) {
      const double shown = value * factor;
      const double decade = std::pow(10, std::floor(std::log10(shown) + kTiny));
      const double within = shown / decade;
      double end = 1;
      for (const double part : {1.0, 2.0, 5.0, 10.0}) {
        if (!up && part <= within * (1 + kTiny)) end = part;
        if (up && part >= within * (1 - kTiny)) return part * decade / factor;
      }
      return end * decade / factor;
    };
    if (!range.has_zero) range.from = outwards(range.from, false);
    range.to = outwards(range.to, true);
    return range;
  }
  if (!(range.to > range.from)) return range;
  const double step = step_for(range.from, range.to, length, LabelSide::beside, factor).size / factor;
  range.from = std::floor(range.from / step + kTiny) * step;
  range.to = std::ceil(range.to / step - kTiny) * step;
  return range;
}

}  // namespace loopsim::cli
