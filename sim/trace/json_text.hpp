// Writes JSON strings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace loopsim {

// The most bytes that write_json_string() writes for a text of this size.
[[nodiscard]] constexpr std::size_t json_string_bound(std::size_t size) { return 6 * size + 2; }

// Writes `text` (UTF-8) as a JSON string with its quotes and returns the end of what it wrote. Only what JSON demands is
// escaped: the quote, the backslash and control characters. `out` must have room for json_string_bound(text.size()) bytes.
char* write_json_string(char* out, std::string_view text);

[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace loopsim
