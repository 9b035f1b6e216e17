// Texts as JSON, JavaScript and CSV spell them: the one place for each, whoever writes. All of them take UTF-8 (or any bytes: those
// above 0x7F pass through as they are), never fail but for lack of memory, and keep nothing of what they are given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loopsim {

// ---- JSON -----------------------------------------------------------------------------------------------------------------------

// How control characters are spelt. A reader of JSON sees no difference.
enum class JsonEscapes : std::uint8_t {
  shortest,  // \b \t \n \f \r, and \u00xx for the others: as JSON.stringify() does
  few,       // only \t and \n; \u00xx for the others: how the values of a document have been written from the beginning
};

// The most bytes that write_json_string() writes for a text of `size` bytes.
[[nodiscard]] constexpr std::size_t json_string_bound(std::size_t size) { return 6 * size + 2; }

// Writes `text` as a JSON string with its quotes and returns the end of what it wrote. Only what JSON demands is escaped: the quote,
// the backslash and control characters below 0x20. `out` must have room for json_string_bound(text.size()) bytes.
char* write_json_string(char* out, std::string_view text);

// The same as a text of its own.
[[nodiscard]] std::string json_string(std::string_view text, JsonEscapes escapes = JsonEscapes::shortest);

// ---- JavaScript -----------------------------------------------------------------------------------------------------------------

// A literal in single quotes, which every version of Node reads as `text`: 'it\'s'.
[[nodiscard]] std::string javascript_string(std::string_view text);

// The same for between the backticks of a template, without them; nothing in it begins a substitution.
[[nodiscard]] std::string javascript_template_part(std::string_view text);

// For people: only control characters (0x7F among them) are spelt as in a literal, "\n" or "\x1b". The text is then on one line and
// can do nothing to a terminal.
[[nodiscard]] std::string printable(std::string_view text);

// ---- CSV ------------------------------------------------------------------------------------------------------------------------

// Appends a cell to `line` as RFC 4180 has it: in quotes where it needs them, with a comma, a quote or a line break in it.
void add_csv_text(std::string& line, std::string_view cell);

}  // namespace loopsim
