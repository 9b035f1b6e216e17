// Layout of the text trace, for reports in the same form: columns for the time, the phase and the content, indented and
// wrapped; and the wording of a run's header and end. Times are virtual, in nanoseconds; texts are UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "loopsim/language.hpp"
#include "loopsim/time.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

enum class Style : char { plain = 1, quiet, strong, phase, output, error, late, made };

// Text in a style. Styles are control characters within the text until layout. Texts of the scenario must go through
// printable() (text.hpp) first, so that they contain none.
[[nodiscard]] std::string styled(Style style, std::string_view text);

// The columns that a text takes in a terminal: two for East Asian wide and fullwidth characters and for emoji, none for
// combining marks and for the marks of styles, one for every other character, those of ambiguous width included. The
// text is UTF-8.
[[nodiscard]] std::size_t text_columns(std::string_view text);

// Lays out rows in sequence, and buffers them until the caller takes text(). Every `content` may be styled.
class TextLayout {
 public:
  // `width` in columns, as a terminal counts them: text_columns(). Without `color`, styles are removed. `language` is
  // that of the headings and the phases.
  TextLayout(int width, bool color, Language language = Language::english)
      : width_(width), color_(color), language_(language) {}

  // The column headings.
  void heading();

  // "── title ─────────"; the next row shows its time and phase again.
  void rule(std::string_view title);

  // A row, wrapped if it is too long: at spaces, and between East Asian characters unless the first must not end a line
  // or the second must not begin one. Time and phase are shown if they have changed.
  void row(TimeNs time, Phase phase, int indent, std::string_view content);

  // A row that is never wrapped.
  void verbatim(TimeNs time, Phase phase, int indent, std::string_view content);

  [[nodiscard]] TimeNs time() const { return time_; }  // of the last row

  // Shows the time on the next row even if it has not changed.
  void show_time() { time_shown_ = false; }

  // Text across the whole width.
  void paragraph(std::string_view content);

  // The same as a list item: "  · ".
  void bullet(std::string_view content);

  void blank_line() { text_.push_back('\n'); }

  // The output so far; the caller may move or clear it between rows.
  [[nodiscard]] std::string& text() { return text_; }

 private:
  void put_margin(TimeNs time, Phase phase, int indent);
  void put_wrapped(std::string_view content, std::size_t margin);
  void put_styled(std::string_view content);

  int width_;
  bool color_;
  Language language_;
  bool time_shown_ = false;
  TimeNs time_ = 0;
  bool phase_shown_ = false;
  Phase phase_ = Phase::main;
  std::size_t margin_ = 0;  // columns before the content of the row being written
  std::string text_;
};

// The setup of a run in one line: "node-20 · libuv 1.46.0 · commonjs · machine ... · seed 1".
[[nodiscard]] std::string header_words(const RunInfo& info, Language language = Language::english);
// The end of a run, from an event of kind limit or exit.
[[nodiscard]] std::string limit_words(const Event& event, Language language = Language::english);
// Whether a run is one of libuv alone, without Node.
[[nodiscard]] bool is_libuv_alone(const RunInfo& info);
// Of such a run: the call of a function, and what it returned.
[[nodiscard]] std::string uv_call_words(const Event& event, std::string_view text);
// Whether a run is one of the runtime `io`.
[[nodiscard]] bool is_io(const RunInfo& info);
[[nodiscard]] std::string exit_words(const Event& event, Language language = Language::english);

}  // namespace loopsim
