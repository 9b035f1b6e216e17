#include "sim/trace/svg_text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/trace/utf8.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kFirst = 0x20;
constexpr std::size_t kCount = 95;  // printable characters of ASCII

// In thousandths of the font size.
constexpr std::array<std::uint16_t, kCount> kRegular = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
constexpr std::array<std::uint16_t, kCount> kBold = {
    348, 456,  521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415,  380, 365, 696, 696,  696,
    696, 696,  696, 696, 696, 696,  696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830,  683,
    683, 821,  837, 372, 372, 775,  637, 995, 837, 850, 733, 850, 770, 720,  682, 812, 774, 1103, 771,
    724, 725,  457, 365, 457, 838,  500, 500, 675, 716, 593, 716, 678, 435,  716, 712, 343, 343,  665,
    343, 1042, 712, 687, 716, 716,  493, 595, 478, 712, 652, 924, 645, 652,  582, 712, 365, 712,  838};
constexpr int kMono = 602;
constexpr int kOther = 800;  // letters of other alphabets, symbols
constexpr int kWide = 1000;  // East Asian characters: a full square
constexpr char32_t kWideFrom = 0x1100;
constexpr char32_t kSymbolsFrom = 0x2000;
constexpr char32_t kWideAgain = 0x2e80;
constexpr std::string_view kEllipsis = "…";
constexpr std::string_view kReplacement = "\xef\xbf\xbd";

struct Character {
  char32_t code;
  std::size_t size;  // in bytes
};

// The first character of a well-formed nonempty text.
Character first_of(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xe0) return {(lead & 0x1f) << 6 | (byte(1) & 0x3f), 2};
  if (lead < 0xf0) return {(lead & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f), 3};
  return {(lead & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f), 4};
}

int width_of(char32_t code, Face face) {
  const bool is_wide = (code >= kWideFrom && code < kSymbolsFrom) || code >= kWideAgain;
  if (is_wide) return kWide;
  if (face == Face::mono) return kMono;
  if (code < kFirst || code >= kFirst + kCount) return kOther;
  return (face == Face::bold ? kBold : kRegular)[code - kFirst];
}

std::string well_formed(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bad = find_invalid_utf8(text);
    result.append(text.substr(0, bad));
    if (bad == std::string_view::npos) break;
    result.append(kReplacement);
    text.remove_prefix(bad + 1);
  }
  return result;
}

// Bidirectional controls reverse text up to the end of the line: they belong to no name and make others unreadable.
bool turns_text_around(char32_t code) {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

bool is_allowed(char32_t code) {
  if (turns_text_around(code)) return false;
  if (code < kFirst) return code == '\t' || code == '\n' || code == '\r';
  return code != 0xfffe && code != 0xffff;
}

// Whether a line may end between these two: behind spaces, and beside an East Asian character; punctuation stays with
// the text that it closes or opens.
bool may_break(char32_t before, char32_t behind) {
  constexpr std::u32string_view kOpening = U"（《「";
  constexpr std::u32string_view kClosing = U"，。、；：！？）》」";
  const auto is_wide = [](char32_t code) { return width_of(code, Face::regular) == kWide; };
  if (behind == ' ') return false;
  if (before == ' ') return true;
  return (is_wide(before) || is_wide(behind)) && kOpening.find(before) == kOpening.npos &&
         kClosing.find(behind) == kClosing.npos;
}

// The next place behind `from` where a line of a well-formed text may end, or the text's end.
std::size_t next_break(std::string_view text, std::size_t from) {
  char32_t before = 0;
  for (std::size_t at = from; at < text.size();) {
    const Character character = first_of(text.substr(at));
    if (at > from && may_break(before, character.code)) return at;
    before = character.code;
    at += character.size;
  }
  return text.size();
}

std::string_view without_spaces(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

int pixels(std::int64_t thousandths) { return static_cast<int>((thousandths + 999) / 1000); }

}  // namespace

int text_width(std::string_view text, int size, Face face) {
  const std::string whole = well_formed(text);
  std::int64_t width = 0;
  for (std::string_view rest = whole; !rest.empty();) {
    const Character character = first_of(rest);
    width += static_cast<std::int64_t>(width_of(character.code, face)) * size;
    rest.remove_prefix(character.size);
  }
  return pixels(width);
}

std::string fitted(std::string_view text, int width, int size, Face face) {
  const std::string whole = well_formed(text);
  if (text_width(whole, size, face) <= width) return whole;
  std::int64_t used = static_cast<std::int64_t>(face == Face::mono ? kMono : kWide) * size;  // of the ellipsis
  std::size_t taken = 0;
  while (taken < whole.size()) {
    const Character character = first_of(std::string_view(whole).substr(taken));
    used += static_cast<std::int64_t>(width_of(character.code, face)) * size;
    if (pixels(used) > width) break;
    taken += character.size;
  }
  while (taken > 0 && whole[taken - 1] == ' ') --taken;
  return whole.substr(0, taken).append(kEllipsis);
}

std::vector<std::string> wrapped(std::string_view text, int width, int size, Face face) {
  const std::string whole = well_formed(text);
  std::vector<std::string> lines;
  std::string_view rest = whole;
  while (!rest.empty()) {
    std::size_t end = next_break(rest, 0);
    while (end < rest.size()) {
      const std::size_t next = next_break(rest, end);
      if (text_width(without_spaces(rest.substr(0, next)), size, face) > width) break;
      end = next;
    }
    const std::string_view line = without_spaces(rest.substr(0, end));
    if (!line.empty()) lines.push_back(fitted(line, width, size, face));
    rest.remove_prefix(end);
  }
  return lines;
}

std::string xml_text(std::string_view text) {
  const std::string whole = well_formed(text);
  std::string result;
  for (std::string_view rest = whole; !rest.empty();) {
    const Character character = first_of(rest);
    switch (character.code) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result.append(is_allowed(character.code) ? rest.substr(0, character.size) : kReplacement);
    }
    rest.remove_prefix(character.size);
  }
  return result;
}

}  // namespace loopsim
