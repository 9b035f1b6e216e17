// Columns of a program's text: QuickJS counts bytes; V8, editors and the trace count UTF-16 code units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace loopsim::quickjs {

// The column, from 1, of the byte `bytes - 1` of a line. UTF-8 is taken to be well formed.
[[nodiscard]] inline std::uint32_t utf16_column(std::string_view line, std::uint32_t bytes) {
  std::uint32_t column = bytes;
  for (std::size_t i = 0; i + 1 < bytes && i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if ((byte & 0xC0U) == 0x80U) --column;  // within a character
    if (byte >= 0xF0U) ++column;            // two units
  }
  return column;
}

}  // namespace loopsim::quickjs
