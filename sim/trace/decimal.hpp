// Integers as decimal text, eight digits at a time in one register.
#pragma once

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace loopsim {

namespace decimal {

inline constexpr std::uint64_t kEightDigits = 100'000'000;

// The digits of a number below 10^8, the first one in the lowest byte: split into halves of four, two and one digit.
// The divisions by multiplication are exact in these ranges (below 10^4, below 100).
[[nodiscard]] constexpr std::uint64_t digits_of(std::uint64_t number) {
  const std::uint64_t fours = (number / 10'000) | ((number % 10'000) << 32U);
  const std::uint64_t hundreds = ((fours * 10'486) >> 20U) & 0x0000'007f'0000'007f;
  const std::uint64_t twos = hundreds | ((fours - hundreds * 100) << 16U);
  const std::uint64_t tens = ((twos * 103) >> 10U) & 0x000f'000f'000f'000f;
  return tens | ((twos - tens * 10) << 8U);
}

inline constexpr std::uint64_t kZeros = 0x3030'3030'3030'3030;

// Always writes eight bytes; returns the end of the number.
inline char* put_below(char* out, std::uint64_t number) {
  const std::uint64_t digits = digits_of(number);
  const unsigned leading = static_cast<unsigned>(std::countr_zero(digits | (std::uint64_t{1} << 56U))) / 8;
  const std::uint64_t text = (digits | kZeros) >> (8 * leading);
  std::memcpy(out, &text, sizeof text);
  return out + (8 - leading);
}

}  // namespace decimal

// Writes the number and returns its end. Needs room for 24 characters.
inline char* put_decimal(char* out, std::uint64_t number) {
  if constexpr (std::endian::native != std::endian::little) return std::to_chars(out, out + 24, number).ptr;
  if (number < decimal::kEightDigits) return decimal::put_below(out, number);
  if (number >= decimal::kEightDigits * decimal::kEightDigits) return std::to_chars(out, out + 24, number).ptr;
  out = decimal::put_below(out, number / decimal::kEightDigits);
  const std::uint64_t low = decimal::digits_of(number % decimal::kEightDigits) | decimal::kZeros;
  std::memcpy(out, &low, sizeof low);
  return out + sizeof low;
}

// Writes numbers that mostly repeat or count up: keeps the text of the last number with its last digit 0, so that a
// number with the same leading digits takes one addition. The text depends on the number alone.
class RecentDecimal {
 public:
  // As put_decimal().
  char* put(char* out, std::uint64_t number) {
    if constexpr (std::endian::native != std::endian::little) return put_decimal(out, number);
    const std::uint64_t units = number - ten_;
    if (units >= 10) return put_anew(out, number);
    const std::uint64_t text = text_ + (units << shift_);
    std::memcpy(out, &text, sizeof text);
    return out + size_;
  }

 private:
  char* put_anew(char* out, std::uint64_t number) {
    char* const end = put_decimal(out, number);
    if (number >= decimal::kEightDigits) return end;
    size_ = static_cast<unsigned>(end - out);
    shift_ = 8 * (size_ - 1);
    ten_ = number - number % 10;
    std::memcpy(&text_, out, sizeof text_);
    text_ -= (number % 10) << shift_;
    return end;
  }

  // State of the last number below 10^8, initially 0: its multiple of ten, the text of that with the first digit in the
  // lowest byte, and the bit offset of the last digit.
  std::uint64_t ten_ = 0;
  std::uint64_t text_ = '0';
  unsigned shift_ = 0;
  unsigned size_ = 1;
};

}  // namespace loopsim
