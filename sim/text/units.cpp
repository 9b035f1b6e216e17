#include "loopsim/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace loopsim {
namespace {

// A unit is factor * 10^exponent nanoseconds, which keeps decimal fractions exact.
struct Unit {
  std::string_view name;
  std::uint64_t factor;
  int exponent;
};
constexpr std::array<Unit, 6> kUnits = {
    {{"ns", 1, 0}, {"us", 1, 3}, {"ms", 1, 6}, {"s", 1, 9}, {"m", 6, 10}, {"h", 36, 11}}};

// digits * 10^exponent, as written.
struct Decimal {
  bool is_valid = false;
  bool is_negative = false;
  bool is_huge = false;  // more digits than fit
  std::uint64_t digits = 0;
  int exponent = 0;
  std::size_t length = 0;  // bytes consumed
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Decimal parse_decimal(std::string_view text) {
  Decimal decimal;
  std::size_t at = 0;
  if (at < text.size() && text[at] == '-') {
    decimal.is_negative = true;
    ++at;
  }
  // Zeros are added to `digits` only if another digit follows.
  int pending_zeros = 0;
  bool in_fraction = false;
  bool any = false;
  const auto add = [&](unsigned digit) {
    if (decimal.digits > (UINT64_MAX - digit) / 10) {
      decimal.is_huge = true;
    } else {
      decimal.digits = decimal.digits * 10 + digit;
    }
  };
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !in_fraction && any && at + 1 < text.size() && is_digit(text[at + 1])) {
      in_fraction = true;
      continue;
    }
    if (!is_digit(text[at])) break;
    any = true;
    if (in_fraction) --decimal.exponent;
    const auto digit = static_cast<unsigned>(text[at] - '0');
    if (digit == 0) {
      if (decimal.digits != 0) ++pending_zeros;
      continue;
    }
    for (; pending_zeros > 0; --pending_zeros) add(0);
    add(digit);
  }
  decimal.exponent += pending_zeros;
  if (decimal.digits == 0) decimal.exponent = 0;
  decimal.is_valid = any;
  decimal.length = at;
  return decimal;
}

// Reads a JSON exponent ("e3") after the decimal.
void parse_exponent(std::string_view text, Decimal& decimal) {
  if (decimal.length >= text.size() || (text[decimal.length] != 'e' && text[decimal.length] != 'E')) return;
  std::size_t at = decimal.length + 1;
  if (at < text.size() && text[at] == '+') ++at;
  int exponent = 0;
  const auto [end, failure] = std::from_chars(text.data() + at, text.data() + text.size(), exponent);
  if (failure == std::errc::invalid_argument) return;
  constexpr int kMost = 1'000'000'000;  // greater than the number of digits in any text
  if (failure == std::errc::result_out_of_range) exponent = text[at] == '-' ? -kMost : kMost;
  if (decimal.digits != 0) decimal.exponent += std::clamp(exponent, -kMost, kMost);
  decimal.length = static_cast<std::size_t>(end - text.data());
}

ParsedDuration in_nanoseconds(const Decimal& decimal, const Unit& unit) {
  ParsedDuration result;
  result.unit = unit.name;
  if (decimal.is_negative && decimal.digits != 0) {
    result.problem = DurationProblem::negative;
    return result;
  }
  constexpr auto kMax = static_cast<std::uint64_t>(kMaxDuration);
  int exponent = decimal.exponent + unit.exponent;
  std::uint64_t value = decimal.digits;
  if (decimal.is_huge || (value != 0 && exponent > 18)) {
    result.problem = exponent < 0 ? DurationProblem::too_fine : DurationProblem::too_long;
    return result;
  }
  if (value > UINT64_MAX / unit.factor) {
    result.problem = DurationProblem::too_long;
    return result;
  }
  value *= unit.factor;
  for (; exponent < 0; ++exponent) {
    if (value % 10 != 0) {
      result.problem = DurationProblem::too_fine;
      return result;
    }
    value /= 10;
  }
  for (; exponent > 0; --exponent) {
    if (value > kMax) break;
    value *= 10;
  }
  if (value > kMax) {
    result.problem = DurationProblem::too_long;
  } else {
    result.value = static_cast<TimeNs>(value);
  }
  return result;
}

}  // namespace

ParsedDuration parse_duration(std::string_view text) {
  const Decimal decimal = parse_decimal(text);
  ParsedDuration result;
  if (!decimal.is_valid) {
    result.problem = DurationProblem::malformed;
    return result;
  }
  result.unit = text.substr(decimal.length);
  if (result.unit.empty()) {
    result.problem = DurationProblem::no_unit;
    return result;
  }
  for (const Unit& unit : kUnits) {
    if (unit.name == result.unit) return in_nanoseconds(decimal, unit);
  }
  result.problem = DurationProblem::unknown_unit;
  return result;
}

ParsedDuration parse_milliseconds(std::string_view number) {
  Decimal decimal = parse_decimal(number);
  if (decimal.is_valid) parse_exponent(number, decimal);
  return in_nanoseconds(decimal, kUnits[2]);
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_whole(std::string_view number) {
  Decimal decimal = parse_decimal(number);
  if (decimal.is_valid) parse_exponent(number, decimal);
  if (!decimal.is_valid || decimal.is_huge || decimal.exponent < 0 || decimal.length != number.size())
    return std::nullopt;
  constexpr std::uint64_t kMax = INT64_MAX;
  std::uint64_t value = decimal.digits;
  if (value != 0 && decimal.exponent > 18) return std::nullopt;
  for (int i = 0; i < decimal.exponent; ++i) {
    if (value > kMax / 10) return std::nullopt;
    value *= 10;
  }
  if (value > kMax) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(value);
  return decimal.is_negative ? -whole : whole;
}

#if defined(__cpp_lib_to_chars)

ParsedDouble parse_double(std::string_view text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  if (text.size() <= sign || (text[sign] != '.' && (text[sign] < '0' || text[sign] > '9'))) return {};  // inf, nan
  ParsedDouble number;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number.value);
  number.length = static_cast<std::size_t>(end - text.data());
  number.fits = failure != std::errc::result_out_of_range;
  return number;
}

#else  // libc++ 19 has no from_chars() for double

namespace {

// Length in bytes of the number at the beginning of a text. strtod() alone would also accept "0x10" and "inf".
std::size_t number_length(std::string_view text) {
  std::size_t at = 0;
  const auto skip_digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - begin;
  };
  if (text.starts_with('-')) ++at;
  std::size_t digits = skip_digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    digits += skip_digits();
  }
  if (digits == 0) return 0;
  const std::size_t length = at;
  if (at == text.size() || (text[at] != 'e' && text[at] != 'E')) return length;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  return skip_digits() == 0 ? length : at;
}

}  // namespace

ParsedDouble parse_double(std::string_view text) {
  ParsedDouble number;
  number.length = number_length(text);
  if (number.length == 0) return number;
  const std::string copy(text.substr(0, number.length));  // null-terminated
  const double value = std::strtod(copy.c_str(), nullptr);
  const std::string_view digits = std::string_view(copy).substr(0, copy.find_first_of("eE"));
  number.fits = std::isfinite(value) && (value != 0 || digits.find_first_of("123456789") == std::string_view::npos);
  if (number.fits) number.value = value;
  return number;
}

#endif

std::string to_text(TimeNs duration) {
  struct Printed {
    TimeNs size;
    std::string_view name;
  };
  constexpr std::array<Printed, 4> kPrinted = {{{kSecond, "s"}, {kMillisecond, "ms"}, {kMicrosecond, "us"}, {1, "ns"}}};
  if (duration == 0) return "0ms";
  for (const Printed& unit : kPrinted) {
    if (duration % unit.size == 0) return fmt::format("{}{}", duration / unit.size, unit.name);
  }
  return {};
}

}  // namespace loopsim
