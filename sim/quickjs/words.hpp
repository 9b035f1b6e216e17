// What a word of a program's text is made of: names, numbers, keywords.
#pragma once

namespace loopsim::quickjs {

[[nodiscard]] constexpr bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

}  // namespace loopsim::quickjs
