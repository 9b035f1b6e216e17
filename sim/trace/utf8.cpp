#include "sim/trace/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace loopsim {
namespace {

// The length of the sequence at `offset`, 0 when it is ill-formed.
std::size_t sequence_length(std::string_view text, std::size_t offset) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return offset + i < text.size() ? static_cast<unsigned char>(text[offset + i]) : 0U;
  };
  const auto is_continuation = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  if (first < 0xC2U) return 0;  // continuation byte, or overlong form
  if (first < 0xE0U) return is_continuation(1) ? 2 : 0;
  if (first < 0xF0U) {
    if (!is_continuation(1) || !is_continuation(2)) return 0;
    if (first == 0xE0U && byte(1) < 0xA0U) return 0;   // overlong
    if (first == 0xEDU && byte(1) >= 0xA0U) return 0;  // surrogate
    return 3;
  }
  if (first > 0xF4U || !is_continuation(1) || !is_continuation(2) || !is_continuation(3)) return 0;
  if (first == 0xF0U && byte(1) < 0x90U) return 0;   // overlong
  if (first == 0xF4U && byte(1) >= 0x90U) return 0;  // beyond U+10FFFF
  return 4;
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    if (text.size() - offset >= sizeof(std::uint64_t)) {  // eight ASCII bytes at a time
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + offset, sizeof word);
      if ((word & 0x8080808080808080ULL) == 0) {
        offset += sizeof word;
        continue;
      }
    }
    const std::size_t length = sequence_length(text, offset);
    if (length == 0) return offset;
    offset += length;
  }
  return std::string_view::npos;
}

}  // namespace loopsim
