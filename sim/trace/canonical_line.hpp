// Reads the lines of a trace that are written exactly as loopsim writes them: almost all that there are.
//
// Whatever is otherwise (blanks, another order, escapes, letters beyond ASCII, mistakes) is left to the reader of any JSON
// line, which also knows what to say of it. So this one needs no messages, and looks at every byte once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/trace.hpp"

#include "sim/trace/read_events.hpp"

namespace loopsim {

class CanonicalLines {
 public:
  CanonicalLines();

  // Whether `line`, without its line feed, is such a line; then the event is what it says, with its name and text in `to`.
  // Otherwise nothing has been done.
  [[nodiscard]] bool read(std::string_view line, Event& event, ReadEvents& to);

 private:
  struct Field {
    std::string key;  // ,"key":
    FieldInfo::Source source = FieldInfo::Source::id;
    FieldInfo::Type type = FieldInfo::Type::id;
    bool is_optional = false;
    std::vector<std::string> words;  // with the quotes around them
    std::size_t last_word = 0;
    std::string last_name;  // with the quotes, too
    std::uint32_t name_index = kNoName;
  };
  struct Kind {
    std::string name;  // with the quote behind it
    EventKind kind = EventKind::turn;
    std::vector<Field> fields;
  };
  struct Cursor {
    const char* at;
    const char* end;
    [[nodiscard]] bool take(std::string_view text);
    [[nodiscard]] bool take_number(std::uint64_t& number);
    [[nodiscard]] bool take_text(std::string_view& text);
  };

  [[nodiscard]] bool read_common(Cursor& in, Event& event);
  [[nodiscard]] Kind* find_kind(Cursor& in);
  [[nodiscard]] static bool read_word(Cursor& in, Field& field, Event& event);
  [[nodiscard]] static bool read_number(Cursor& in, const Field& field, Event& event);
  static void set_absent(const Field& field, Event& event);
  static std::size_t place_of(std::string_view name);

  std::vector<Kind> kinds_;
  std::array<std::uint8_t, 256> places_{};  // of kinds by place_of(), and after it; 0: none, else 1 more
  std::vector<std::string> phases_;         // as words of a Field
  std::string common_;                      // of the line before, from ,"t": to before ,"ev":
  Event common_event_;                      // what that says
};

}  // namespace loopsim
