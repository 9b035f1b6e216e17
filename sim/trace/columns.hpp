// The characters of a text and the columns that they take in a terminal.
#pragma once

#include <cstddef>
#include <string_view>

#include "loopsim/trace_text.hpp"

namespace loopsim {

// A character of a text, or the mark of a style (trace_text.hpp).
struct Character {
  char32_t code = 0;
  std::size_t size = 1;  // in bytes
  std::size_t columns = 1;
};

// The first character of a nonempty text. Bytes that are no UTF-8 count as characters of one column, or of none if they
// continue one.
[[nodiscard]] Character first_character(std::string_view text);

// The last one.
[[nodiscard]] Character last_character(std::string_view text);

// Whether a character takes two columns: East Asian wide and fullwidth characters, emoji.
[[nodiscard]] bool is_wide(char32_t code);

[[nodiscard]] constexpr bool is_style_mark(char c) {
  return c >= static_cast<char>(Style::plain) && c <= static_cast<char>(Style::made);
}

}  // namespace loopsim
