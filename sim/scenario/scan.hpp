// Finds bytes in a text, eight at a time: a document is mostly texts.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace loopsim {

// Eight bytes of a text as one number. The functions below set the highest bit of each byte that they look for; bytes
// after the first of these in a little-endian number may be wrong.
class EightBytes {
 public:
  explicit EightBytes(const char* text) { std::memcpy(&bytes_, text, sizeof bytes_); }
  explicit EightBytes(char eight_times) : bytes_(kOnes * static_cast<unsigned char>(eight_times)) {}

  [[nodiscard]] std::uint64_t equal(char c) const {
    const std::uint64_t other = bytes_ ^ (kOnes * static_cast<unsigned char>(c));
    return (other - kOnes) & ~other & kHighest;
  }
  // `limit` is at most 128.
  [[nodiscard]] std::uint64_t below(unsigned limit) const { return (bytes_ - kOnes * limit) & ~bytes_ & kHighest; }

 private:
  static constexpr std::uint64_t kOnes = 0x0101010101010101U;
  static constexpr std::uint64_t kHighest = 0x8080808080808080U;
  std::uint64_t bytes_ = 0;
};

// The first byte from `at` on that `find`, a function of EightBytes, marks; the text's size when there is none.
template <typename Find>
std::size_t find_byte(std::string_view text, std::size_t at, Find find) {
  for (; at + 8 <= text.size(); at += 8) {
    const std::uint64_t found = find(EightBytes(text.data() + at));
    if (found == 0) continue;
    if constexpr (std::endian::native == std::endian::little)
      return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
    break;
  }
  while (at < text.size() && find(EightBytes(text[at])) == 0) ++at;
  return at;
}

}  // namespace loopsim
