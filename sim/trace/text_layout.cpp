#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/words.hpp"

#include "sim/trace/columns.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kTimeColumn = 10;
constexpr std::size_t kPhaseColumn = 10;
constexpr int kWidestRule = 100;
constexpr std::size_t kNarrowest = 24;  // minimum width of wrapped content

// Indexed by Style.
constexpr std::array<std::string_view, 9> kColors = {"",         "\x1b[0m",  "\x1b[2m",  "\x1b[1m", "\x1b[36m",
                                                     "\x1b[32m", "\x1b[31m", "\x1b[33m", "\x1b[34m"};

// Punctuation that stays with the character before it, or after it (JIS X 4051, GB/T 15834).
constexpr std::u32string_view kNotAtBegin = U"、。，．：；？！）】》」』〉〕”’…·%),.:;?!]}";
constexpr std::u32string_view kNotAtEnd = U"（【《「『〈〔“‘([{";

// Whether a line may be broken between two characters without a space: where one of them is East Asian.
bool may_break_between(char32_t before, char32_t after) {
  if (!is_wide(before) && !is_wide(after)) return false;
  constexpr auto kNone = std::u32string_view::npos;
  return kNotAtEnd.find(before) == kNone && kNotAtBegin.find(after) == kNone;
}

// Where to break a text so that the part before fits into `room` columns: its length in bytes, and with the space that
// is dropped there. Empty if the text fits, or cannot be broken.
struct Break {
  std::size_t size = 0;
  std::size_t next = 0;  // where the rest begins
};

std::optional<Break> find_break(std::string_view text, std::size_t room) {
  constexpr std::size_t kBullet = 2;  // columns: no break right after one
  std::optional<Break> last;
  std::size_t used = 0;
  char32_t before = ' ';
  for (std::size_t at = 0; at < text.size();) {
    const Character character = first_character(text.substr(at));
    const bool is_mark = is_style_mark(text[at]);
    if (!is_mark && used > kBullet) {
      if (character.code == ' ' && used <= room)
        last = {at, at + 1};
      else if (used <= room && before != ' ' && may_break_between(before, character.code))
        last = {at, at};
    }
    used += character.columns;
    if (used > room && character.code != ' ') return last;
    if (!is_mark) before = character.code;
    at += character.size;
  }
  return std::nullopt;
}

}  // namespace

std::string styled(Style style, std::string_view text) {
  std::string result(1, static_cast<char>(style));
  result.append(text).push_back(static_cast<char>(Style::plain));
  return result;
}

void TextLayout::heading() {
  const std::string line =
      fmt::format("{:>{}}  {:<{}}  {}", say(language_, Word::time_column), kTimeColumn,
                  say(language_, Word::phase_column), kPhaseColumn, say(language_, Word::content_column));
  put_styled(styled(Style::quiet, line));
  text_.push_back('\n');
}

void TextLayout::rule(std::string_view title) {
  std::string line = "── " + std::string(title) + " ";
  for (std::size_t column = text_columns(line); column < static_cast<std::size_t>(std::min(width_, kWidestRule));
       ++column)
    line += "─";
  put_styled(styled(Style::quiet, line));
  text_.push_back('\n');
  time_shown_ = false;
  phase_shown_ = false;
}

void TextLayout::row(TimeNs time, Phase phase, int indent, std::string_view content) {
  put_margin(time, phase, indent);
  put_wrapped(content, margin_);
}

void TextLayout::verbatim(TimeNs time, Phase phase, int indent, std::string_view content) {
  put_margin(time, phase, indent);
  put_styled(content);
  text_.push_back('\n');
}

void TextLayout::paragraph(std::string_view content) { put_wrapped(content, 0); }

void TextLayout::bullet(std::string_view content) {
  text_ += "  ";
  put_wrapped("· " + std::string(content), 2);
}

void TextLayout::put_margin(TimeNs time, Phase phase, int indent) {
  std::string shown_time;
  if (!time_shown_ || time != time_) shown_time = ms_text(time);
  std::string_view shown_phase;
  if (!phase_shown_ || phase != phase_) shown_phase = phase_words(language_, phase);
  time_shown_ = true;
  time_ = time;
  phase_shown_ = true;
  phase_ = phase;

  const std::size_t spaces = static_cast<std::size_t>(indent) * 2;
  put_styled(styled(Style::quiet, fmt::format("{:>{}}", shown_time, kTimeColumn)));
  text_ += "  ";
  put_styled(styled(Style::phase, fmt::format("{:<{}}", shown_phase, kPhaseColumn)));
  text_.append(2 + spaces, ' ');
  margin_ =
      std::max(kTimeColumn, shown_time.size()) + 2 + std::max(kPhaseColumn, text_columns(shown_phase)) + 2 + spaces;
}

// Continuation lines are indented by two more columns.
void TextLayout::put_wrapped(std::string_view content, std::size_t margin) {
  const std::size_t hanging = margin + 2;
  const auto width = static_cast<std::size_t>(width_);
  std::size_t room = std::max(kNarrowest, width - std::min(width, margin));
  while (const std::optional<Break> found = find_break(content, room)) {
    put_styled(content.substr(0, found->size));
    content.remove_prefix(found->next);
    text_.push_back('\n');
    text_.append(hanging, ' ');
    room = std::max(kNarrowest, width - std::min(width, hanging));
  }
  put_styled(content);
  text_.push_back('\n');
}

void TextLayout::put_styled(std::string_view content) {
  for (const char c : content) {
    if (!is_style_mark(c)) {
      text_.push_back(c);
    } else if (color_) {
      text_ += kColors[static_cast<unsigned char>(c)];
    }
  }
}

}  // namespace loopsim
