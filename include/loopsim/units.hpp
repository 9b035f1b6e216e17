// Numbers and durations as written in documents. Durations are parsed exactly, without floating point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "loopsim/time.hpp"

namespace loopsim {

enum class DurationProblem : std::uint8_t {
  none,
  malformed,  // no number at the beginning
  no_unit,    // a number in quotes, without a unit
  unknown_unit,
  negative,
  too_fine,  // not a whole number of nanoseconds
  too_long,  // beyond kMaxDuration
};

struct ParsedDuration {
  TimeNs value = 0;
  DurationProblem problem = DurationProblem::none;
  std::string_view unit;  // as written
};

// "1.5s": a number and one of ns, us, ms, s, m, h.
[[nodiscard]] ParsedDuration parse_duration(std::string_view text);
// A number of milliseconds, as JSON writes it: 95, 0.25, 1e3.
[[nodiscard]] ParsedDuration parse_milliseconds(std::string_view number);

// Digits only, at most 2^64 - 1.
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view text);
// A whole number with or without a minus sign, of at most 2^63 - 1 in size; 3.0 and 1e3 are accepted.
[[nodiscard]] std::optional<std::int64_t> parse_whole(std::string_view number);

// The longest decimal number at the beginning of a text ("-1.5e3", ".5", "5."; no "inf", "nan" or "0x"), as the nearest
// double.
struct ParsedDouble {
  double value = 0;
  std::size_t length = 0;  // bytes of the text; 0: no number
  bool fits = true;        // false: too large or too small for a double; `value` is 0
};
[[nodiscard]] ParsedDouble parse_double(std::string_view text);

// "1.5s", "250us": the shortest exact form.
[[nodiscard]] std::string to_text(TimeNs duration);

}  // namespace loopsim
