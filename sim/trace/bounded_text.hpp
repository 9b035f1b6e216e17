// Values as a debugger shows them: bounded, however large the value is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace loopsim {

// A text that keeps its first `most` bytes, cut between characters of UTF-8.
class BoundedText {
 public:
  explicit BoundedText(std::size_t most) : most_(most) {}

  void add(std::string_view text) {
    if (is_cut_) return;
    std::size_t kept = text.size();
    if (text_.size() + text.size() > most_) {
      is_cut_ = true;
      kept = most_ - text_.size();
      while (kept > 0 && (static_cast<unsigned char>(text[kept]) & 0xC0U) == 0x80U) --kept;
    }
    text_ += text.substr(0, kept);
  }

  [[nodiscard]] bool is_cut() const { return is_cut_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::size_t most_;
  bool is_cut_ = false;
  std::string text_;
};

}  // namespace loopsim
