// Reads one line of JSON Lines: an object of integers, texts and flags; other values are passed on as raw text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loopsim {

struct JsonMember {
  enum class Kind : std::uint8_t { integer, number, text, flag, null, object, array };
  std::string_view key;
  std::size_t key_offset = 0;  // in the line
  Kind kind = Kind::null;
  std::size_t offset = 0;       // of the value
  std::string_view raw;         // the value as written
  std::string_view text;        // of a text, unescaped
  std::uint64_t magnitude = 0;  // of an integer
  bool negative = false;
  bool too_large = false;  // an integer beyond 64 bits
  bool flag = false;
};

// The members of one object. Keys and texts are valid until the next read(), and only while the line exists.
class JsonLine {
 public:
  // False when the line is not one JSON object; see error() and error_offset().
  bool read(std::string_view line);

  [[nodiscard]] const std::vector<JsonMember>& members() const { return members_; }
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] std::size_t error_offset() const { return error_offset_; }

 private:
  bool fail(std::string_view message);
  [[nodiscard]] bool at_end() const { return at_ == line_.size(); }
  [[nodiscard]] char here() const { return at_ < line_.size() ? line_[at_] : '\0'; }
  void skip_blanks();
  bool expect(char token, std::string_view message);
  bool read_member();
  bool read_value(JsonMember& member);
  bool read_text(std::string_view& text);
  bool read_escape();
  bool read_code_unit(std::uint32_t& unit);
  bool read_number(JsonMember& member);
  bool read_word(std::string_view word);
  bool skip_nested();

  std::string_view line_;
  std::size_t at_ = 0;
  std::vector<JsonMember> members_;
  std::string unescaped_;  // all texts with escapes, unescaped; never longer than the line
  std::string error_;
  std::size_t error_offset_ = 0;
};

}  // namespace loopsim
