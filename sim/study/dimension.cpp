// Parses the dimensions of a study. Numeric ranges are exact: 0:0.95:0.05 contains 0.15, not 0.15000000000000002.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "loopsim/study.hpp"
#include "loopsim/suggest.hpp"
#include "loopsim/units.hpp"

#include "sim/machine/random.hpp"

namespace loopsim {
namespace {

struct Problem {
  std::string message;
  std::string suggestion;
};

// ---- text -----------------------------------------------------------------------------------------------------------------------

// Splits at separators outside of quotes, brackets and braces.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == separator && depth == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// ---- quantities -------------------------------------------------------------------------------------------------------------------

// A number without a unit, digits * 10^-places; or a duration, in whole nanoseconds.
struct Quantity {
  bool is_duration = false;
  std::int64_t digits = 0;
  int places = 0;
};

constexpr std::int64_t kMostDigits = 1'000'000'000'000'000;  // 10^15: sums and products by 10 still fit
constexpr int kMostPlaces = 15;

std::optional<Quantity> parse_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  std::string digits(text.substr(0, point));
  if (digits.empty()) return std::nullopt;
  Quantity number;
  if (point != std::string_view::npos) {
    const std::string_view fraction = text.substr(point + 1);
    if (fraction.empty() || fraction.size() > kMostPlaces) return std::nullopt;
    digits += fraction;
    number.places = static_cast<int>(fraction.size());
  }
  const char* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, number.digits);
  if (error != std::errc{} || stopped != end || digits.front() == '-' || number.digits > kMostDigits)
    return std::nullopt;
  if (negative) number.digits = -number.digits;
  return number;
}

constexpr std::array<std::string_view, 6> kUnits = {"ns", "us", "ms", "s", "m", "h"};

// The text with its unit corrected, or "".
std::string nearest_unit(std::string_view text, std::string_view unit) {
  if (unit.empty() || unit.size() >= text.size()) return "";
  const std::string close = nearest(unit, {kUnits.begin(), kUnits.end()});
  if (close.empty()) return "";
  return std::string(text.substr(0, text.size() - unit.size())) + close;
}

std::variant<Quantity, Problem> parse_quantity(std::string_view text) {
  if (const auto number = parse_number(text)) return *number;
  const ParsedDuration duration = parse_duration(text);
  const std::string quoted = "\"" + std::string(text) + "\"";
  switch (duration.problem) {
    case DurationProblem::none: return Quantity{true, duration.value, 0};
    case DurationProblem::unknown_unit:
      return Problem{quoted + " has no unit that there is: ns, us, ms, s, m or h", nearest_unit(text, duration.unit)};
    case DurationProblem::negative: return Problem{quoted + " is a duration below 0", ""};
    case DurationProblem::too_fine: return Problem{quoted + " is no whole number of nanoseconds", ""};
    case DurationProblem::too_long: return Problem{quoted + " is longer than the 10^9 s that a duration may be", ""};
    case DurationProblem::no_unit: return Problem{quoted + " has more than 15 digits", ""};
    case DurationProblem::malformed: break;
  }
  return Problem{quoted + " is neither a number nor a duration", ""};
}

std::string text_of(Quantity value);

// A duration in the largest of s, ms, us, ns that gives at least 1: 31.62ms, not 31620us.
std::string duration_text(TimeNs duration) {
  if (duration == 0) return "0ms";
  if (duration >= kSecond) return text_of({false, duration, 9}) + "s";
  if (duration >= kMillisecond) return text_of({false, duration, 6}) + "ms";
  if (duration >= kMicrosecond) return text_of({false, duration, 3}) + "us";
  return text_of({false, duration, 0}) + "ns";
}

std::string text_of(Quantity value) {
  if (value.is_duration) return duration_text(value.digits);
  while (value.places > 0 && value.digits % 10 == 0) {
    value.digits /= 10;
    --value.places;
  }
  std::string text = std::to_string(std::abs(value.digits));
  const auto places = static_cast<std::size_t>(value.places);
  if (places > 0) {
    if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
    text.insert(text.size() - places, ".");
  }
  return value.digits < 0 ? "-" + text : text;
}

// Converts all to the same unit. False: numbers are mixed with durations (0 may be either), or have too many digits.
bool align(std::span<Quantity> values) {
  const bool durations = std::ranges::any_of(values, &Quantity::is_duration);
  const int places = std::ranges::max_element(values, {}, &Quantity::places)->places;
  for (Quantity& value : values) {
    if (durations && !value.is_duration) {
      if (value.digits != 0) return false;
      value = {true, 0, 0};
    }
    for (; !durations && value.places < places; ++value.places) {
      if (std::abs(value.digits) > kMostDigits) return false;
      value.digits *= 10;
    }
  }
  return true;
}

// ---- ranges -----------------------------------------------------------------------------------------------------------------------

using Values = std::variant<std::vector<std::string>, Problem>;

Problem too_many_values(std::string_view range) {
  return {fmt::format("the range {} has more than {} values", range, kMostValues), ""};
}

std::string mixed_units(std::string_view range) {
  return fmt::format("the range {} mixes numbers and durations, or numbers of too many digits", range);
}

Values grid(std::string_view range, const std::vector<std::string_view>& parts) {
  std::array<Quantity, 3> quantities;
  for (std::size_t i = 0; i < 3; ++i) {
    auto parsed = parse_quantity(parts[i]);
    if (auto* const problem = std::get_if<Problem>(&parsed)) return std::move(*problem);
    quantities[i] = std::get<Quantity>(parsed);
  }
  if (!align(quantities)) return Problem{mixed_units(range), ""};
  const auto [from, to, step] = quantities;
  if (step.digits == 0) return Problem{fmt::format("the range {} has a step of 0", range), ""};
  if ((step.digits > 0) != (to.digits >= from.digits) && to.digits != from.digits) {
    const std::string turned = fmt::format("{}:{}:{}", parts[1], parts[0], parts[2]);
    return Problem{fmt::format("the range {} is empty: its step leads away from its end", range), turned};
  }
  const auto steps = static_cast<std::uint64_t>((to.digits - from.digits) / step.digits);
  if (steps >= kMostValues) return too_many_values(range);
  std::vector<std::string> values;
  for (std::uint64_t i = 0; i <= steps; ++i) {
    Quantity value = from;
    value.digits += static_cast<std::int64_t>(i) * step.digits;
    values.push_back(text_of(value));
  }
  return values;
}

double as_double(const Quantity& value) {
  double number = static_cast<double>(value.digits);
  for (int i = 0; i < value.places; ++i) number /= 10;
  return number;
}

// Rounds to four digits: 3.1622776 ms to 3.162 ms.
Quantity four_digits(double number, bool is_duration) {
  int exponent = 0;  // number = scaled * 10^exponent, with 1000 <= scaled < 10000
  double scaled = number;
  while (scaled >= 10000) {
    scaled /= 10;
    ++exponent;
  }
  while (scaled < 1000) {
    scaled *= 10;
    --exponent;
  }
  Quantity value{is_duration, static_cast<std::int64_t>(std::floor(scaled + 0.5)), 0};
  for (; exponent > 0; --exponent) value.digits *= 10;
  if (is_duration) {  // whole nanoseconds
    for (; exponent < 0; ++exponent) value.digits = exponent == -1 ? (value.digits + 5) / 10 : value.digits / 10;
  }
  value.places = -exponent;
  return value;
}

Values logarithmic(std::string_view range, const std::vector<std::string_view>& parts) {
  std::array<Quantity, 2> ends;
  for (std::size_t i = 0; i < 2; ++i) {
    auto parsed = parse_quantity(parts[i + 1]);
    if (auto* const problem = std::get_if<Problem>(&parsed)) return std::move(*problem);
    ends[i] = std::get<Quantity>(parsed);
    if (ends[i].digits <= 0) {
      return Problem{fmt::format("the range {} cannot be in equal ratios: {} is not above 0", range, parts[i + 1]), ""};
    }
  }
  if (ends[0].is_duration != ends[1].is_duration) return Problem{mixed_units(range), ""};
  const std::optional<std::uint64_t> count = parse_unsigned(parts[3]);
  if (!count || *count < 2) {
    return Problem{
        fmt::format("the range {} takes the number of its values last, 2 or more, not \"{}\"", range, parts[3]), ""};
  }
  if (*count > kMostValues) return too_many_values(range);
  const double first = as_double(ends[0]);
  const double ratio = portable_log(as_double(ends[1]) / first);
  std::vector<std::string> values = {text_of(ends[0])};
  for (std::uint64_t i = 1; i + 1 < *count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(*count - 1);
    values.push_back(text_of(four_digits(first * portable_exp(ratio * share), ends[0].is_duration)));
  }
  values.push_back(text_of(ends[1]));
  return values;
}

Values values_in(std::string_view item) {
  if (item.empty()) return Problem{"there is a value missing", ""};
  const std::vector<std::string_view> parts = split(item, ':');
  if (parts.size() == 1) return std::vector<std::string>{std::string(item)};
  if (parts.size() == 3 && parts[0] != "log") return grid(item, parts);
  if (parts.size() == 4 && parts[0] == "log") return logarithmic(item, parts);
  std::string suggestion;
  if (parts.size() == 4 && !nearest(parts[0], {"log"}).empty()) {
    suggestion = "log" + std::string(item.substr(parts[0].size()));
  }
  return Problem{fmt::format("{} is no range: FROM:TO:STEP, or log:FROM:TO:COUNT", item), suggestion};
}

}  // namespace

DimensionResult parse_dimension(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    return {std::nullopt, "a varied parameter is NAME=RANGE, not \"" + std::string(text) + "\"", ""};
  }
  Dimension dimension{std::string(text.substr(0, equals)), {}};
  for (const std::string_view item : split(text.substr(equals + 1), ',')) {
    Values values = values_in(item);
    if (auto* const problem = std::get_if<Problem>(&values)) {
      return {std::nullopt, dimension.name + ": " + problem->message, problem->suggestion};
    }
    std::vector<std::string>& found = std::get<std::vector<std::string>>(values);
    std::move(found.begin(), found.end(), std::back_inserter(dimension.values));
    if (dimension.values.size() > kMostValues) {
      return {std::nullopt, fmt::format("{} has more than {} values", dimension.name, kMostValues), ""};
    }
  }
  std::vector<std::string_view> sorted(dimension.values.begin(), dimension.values.end());
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) {
    return {std::nullopt, dimension.name + " has the value " + std::string(*twice) + " more than once", ""};
  }
  return {std::move(dimension), "", ""};
}

}  // namespace loopsim
