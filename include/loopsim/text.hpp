// Escaping of texts for JSON, JavaScript and CSV, used by all writers. Input is UTF-8, or any bytes: those above 0x7F
// are copied unchanged, except that JavaScript literals escape U+2028 and U+2029. The only failure is std::bad_alloc.
// No function keeps a reference to its input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loopsim {

// ---- JSON -----------------------------------------------------------------------------------------------------------

// Spelling of control characters; equivalent to any JSON parser.
enum class JsonEscapes : std::uint8_t {
  shortest,  // \b \t \n \f \r, and \u00xx for the others, like JSON.stringify()
  few,       // only \t and \n, and \u00xx for the others; the stable form for values of a document
};

// Upper bound of the bytes that write_json_string() writes for a text of `size` bytes.
[[nodiscard]] constexpr std::size_t json_string_bound(std::size_t size) { return 6 * size + 2; }

// Writes `text` as a JSON string with its quotes and returns the end of the output. Escapes only the quote, the
// backslash and control characters below 0x20. `out` must have room for json_string_bound(text.size()) bytes.
char* write_json_string(char* out, std::string_view text);

// The same, as a new string.
[[nodiscard]] std::string json_string(std::string_view text, JsonEscapes escapes = JsonEscapes::shortest);

// ---- JavaScript -----------------------------------------------------------------------------------------------------

// A literal in single quotes that evaluates to `text` in every version of Node: 'it\'s'.
[[nodiscard]] std::string javascript_string(std::string_view text);

// The same for a part of a template literal, without the backticks; `${` is escaped.
[[nodiscard]] std::string javascript_template_part(std::string_view text);

// Appends a number as JavaScript prints it: the shortest digits that read back as the same number.
void append_javascript_number(std::string& out, double number);

// For terminal output: escapes only control characters (and 0x7F), as "\n" or "\x1b". The result is one line, safe for
// a terminal.
[[nodiscard]] std::string printable(std::string_view text);

// ---- CSV ------------------------------------------------------------------------------------------------------------

// Appends a cell to `line` as in RFC 4180: quoted if it contains a comma, a quote or a line break.
void add_csv_text(std::string& line, std::string_view cell);

}  // namespace loopsim
