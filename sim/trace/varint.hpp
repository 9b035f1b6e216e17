// Numbers in groups of seven bits, the lowest ones first, each in a byte whose highest bit says that more follow (LEB128): as Protocol
// Buffers and the compact trace have them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace loopsim {

inline constexpr std::size_t kLongestVarint = 10;

// There must be room for kLongestVarint bytes. Returns the end of what has been written.
inline char* put_varint(char* out, std::uint64_t number) {
  while (number >= 0x80U) {
    *out++ = static_cast<char>(number | 0x80U);
    number >>= 7U;
  }
  *out++ = static_cast<char>(number);
  return out;
}

inline void append_varint(std::string& text, std::uint64_t number) {
  std::array<char, kLongestVarint> bytes{};
  text.append(bytes.data(), static_cast<std::size_t>(put_varint(bytes.data(), number) - bytes.data()));
}

}  // namespace loopsim
