// What the text trace is laid out with, for other reports that look like it: a column of times, a column of phases, and what happened,
// indented and wrapped; and its words for a run's head and end. Times are virtual, in nanoseconds; texts are UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "loopsim/time.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

enum class Style : char { plain = 1, quiet, strong, phase, output, error, late, made };

// Text in a style. Styles are single control characters within the text until it is laid out; texts of the scenario pass through
// printable() (text.hpp) first, so they contain none.
[[nodiscard]] std::string styled(Style style, std::string_view text);

// Lays out rows one after the other, and holds what it has laid out until the caller takes it. Every `content` may be styled.
class TextLayout {
 public:
  // `width` in columns, a character taking one; without `color` styles leave nothing behind.
  TextLayout(int width, bool color) : width_(width), color_(color) {}

  // The names of the columns.
  void heading();

  // "── title ─────────", and whatever follows shows its time and phase anew.
  void rule(std::string_view title);

  // A line, or several when it is too long. The time and the phase are shown when they have changed.
  void row(TimeNs time, Phase phase, int indent, std::string_view content);

  // A row that is not wrapped, whatever its length.
  void verbatim(TimeNs time, Phase phase, int indent, std::string_view content);

  [[nodiscard]] TimeNs time() const { return time_; }  // of the last row

  // Shows the time on the next row even if it has not changed.
  void show_time() { time_shown_ = false; }

  // Text over the whole width.
  void paragraph(std::string_view content);

  // The same as an item of a list: "  · ".
  void bullet(std::string_view content);

  void blank_line() { text_.push_back('\n'); }

  // What has been laid out so far; the caller may move or clear it at any time between two rows.
  [[nodiscard]] std::string& text() { return text_; }

 private:
  void put_margin(TimeNs time, Phase phase, int indent);
  void put_wrapped(std::string_view content, std::size_t margin);
  void put_styled(std::string_view content);

  int width_;
  bool color_;
  bool time_shown_ = false;
  TimeNs time_ = 0;
  bool phase_shown_ = false;
  Phase phase_ = Phase::main;
  std::size_t margin_ = 0;  // columns before the content of the row being written
  std::string text_;
};

// What a run was made with, in one line: "node-20 · libuv 1.46.0 · commonjs · machine ... · seed 1".
[[nodiscard]] std::string header_words(const RunInfo& info);
// How a run ended: of an event of the kind limit, and of the kind exit.
[[nodiscard]] std::string limit_words(const Event& event);
[[nodiscard]] std::string exit_words(const Event& event);

}  // namespace loopsim
