#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kTimeColumn = 10;
constexpr std::size_t kPhaseColumn = 10;
constexpr int kWidestRule = 100;
constexpr std::size_t kNarrowest = 24;  // minimum width of wrapped content

// Indexed by Style.
constexpr std::array<std::string_view, 9> kColors = {"",         "\x1b[0m",  "\x1b[2m",  "\x1b[1m", "\x1b[36m",
                                                     "\x1b[32m", "\x1b[31m", "\x1b[33m", "\x1b[34m"};

bool is_style(char c) { return c >= static_cast<char>(Style::plain) && c <= static_cast<char>(Style::made); }

// Columns of a text: one per character.
std::size_t columns(std::string_view text) {
  const auto counts = [](char c) { return !is_style(c) && (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; };
  return static_cast<std::size_t>(std::ranges::count_if(text, counts));
}

}  // namespace

std::string styled(Style style, std::string_view text) {
  std::string result(1, static_cast<char>(style));
  result.append(text).push_back(static_cast<char>(Style::plain));
  return result;
}

void TextLayout::heading() {
  put_styled(styled(Style::quiet,
                    fmt::format("{:>{}}  {:<{}}  what happens", "time (ms)", kTimeColumn, "phase", kPhaseColumn)));
  text_.push_back('\n');
}

void TextLayout::rule(std::string_view title) {
  std::string line = "── " + std::string(title) + " ";
  for (std::size_t column = columns(line); column < static_cast<std::size_t>(std::min(width_, kWidestRule)); ++column)
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
  if (!phase_shown_ || phase != phase_) shown_phase = to_string(phase);
  time_shown_ = true;
  time_ = time;
  phase_shown_ = true;
  phase_ = phase;

  const std::size_t spaces = static_cast<std::size_t>(indent) * 2;
  put_styled(styled(Style::quiet, fmt::format("{:>{}}", shown_time, kTimeColumn)));
  text_ += "  ";
  put_styled(styled(Style::phase, fmt::format("{:<{}}", shown_phase, kPhaseColumn)));
  text_.append(2 + spaces, ' ');
  margin_ = std::max(kTimeColumn, shown_time.size()) + 2 + std::max(kPhaseColumn, shown_phase.size()) + 2 + spaces;
}

// Wraps at spaces; continuation lines are indented by two more columns.
void TextLayout::put_wrapped(std::string_view content, std::size_t margin) {
  const std::size_t hanging = margin + 2;
  std::size_t room =
      std::max(kNarrowest, static_cast<std::size_t>(width_) - std::min(static_cast<std::size_t>(width_), margin));
  while (columns(content) > room) {
    std::size_t break_at = std::string_view::npos;
    for (std::size_t space = content.find(' '); space != std::string_view::npos; space = content.find(' ', space + 1)) {
      if (columns(content.substr(0, space)) > room) break;
      if (columns(content.substr(0, space)) > 2) break_at = space;  // not right after a bullet
    }
    if (break_at == std::string_view::npos) break;
    put_styled(content.substr(0, break_at));
    content.remove_prefix(break_at + 1);
    text_.push_back('\n');
    text_.append(hanging, ' ');
    room = std::max(kNarrowest, static_cast<std::size_t>(width_) - std::min(static_cast<std::size_t>(width_), hanging));
  }
  put_styled(content);
  text_.push_back('\n');
}

void TextLayout::put_styled(std::string_view content) {
  for (const char c : content) {
    if (!is_style(c)) {
      text_.push_back(c);
    } else if (color_) {
      text_ += kColors[static_cast<unsigned char>(c)];
    }
  }
}

}  // namespace loopsim
