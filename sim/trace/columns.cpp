#include "sim/trace/columns.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace loopsim {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Characters of two columns: those to which ISO C++ ([format.string.std], after Unicode's East_Asian_Width W and F)
// gives an estimated width of 2. {fmt} pads by the same table.
constexpr std::array kWide = {Range{0x1100, 0x115f},   Range{0x2329, 0x232a},   Range{0x2e80, 0x303e},
                              Range{0x3040, 0xa4cf},   Range{0xac00, 0xd7a3},   Range{0xf900, 0xfaff},
                              Range{0xfe10, 0xfe19},   Range{0xfe30, 0xfe6f},   Range{0xff00, 0xff60},
                              Range{0xffe0, 0xffe6},   Range{0x1f300, 0x1f64f}, Range{0x1f900, 0x1f9ff},
                              Range{0x20000, 0x2fffd}, Range{0x30000, 0x3fffd}};

// Characters without a column: combining marks, joiners and marks of direction, variation selectors.
constexpr std::array kNoColumn = {Range{0x0300, 0x036f}, Range{0x200b, 0x200f}, Range{0x20d0, 0x20ff},
                                  Range{0xfe00, 0xfe0f}};

template <std::size_t Size>
bool is_in(const std::array<Range, Size>& ranges, char32_t code) {
  const auto after = std::ranges::upper_bound(ranges, code, {}, &Range::first);
  return after != ranges.begin() && code <= std::prev(after)->last;
}

}  // namespace

bool is_wide(char32_t code) { return is_in(kWide, code); }

Character first_character(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? static_cast<char32_t>(static_cast<unsigned char>(text[i])) & 0x3fU : 0;
  };
  const char32_t lead = static_cast<unsigned char>(text[0]);
  Character character;
  if (lead < 0x80) {
    character.code = lead;
    character.columns = is_style_mark(text[0]) ? 0 : 1;
    return character;
  }
  if (lead < 0xc0) return {0, 1, 0};
  character.size = std::min<std::size_t>(lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4, text.size());
  if (lead < 0xe0)
    character.code = (lead & 0x1fU) << 6U | byte(1);
  else if (lead < 0xf0)
    character.code = (lead & 0x0fU) << 12U | byte(1) << 6U | byte(2);
  else
    character.code = (lead & 0x07U) << 18U | byte(1) << 12U | byte(2) << 6U | byte(3);
  character.columns = is_wide(character.code) ? 2 : is_in(kNoColumn, character.code) ? 0 : 1;
  return character;
}

Character last_character(std::string_view text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U) --at;
  return first_character(text.substr(at));
}

std::size_t text_columns(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    columns += character.columns;
    text.remove_prefix(character.size);
  }
  return columns;
}

}  // namespace loopsim
