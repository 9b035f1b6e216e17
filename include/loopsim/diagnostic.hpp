// Diagnostics of a document: collected as values, never thrown, so that all problems are reported, not only the first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loopsim {

inline constexpr std::string_view kCommandLine = "<command line>";

struct Diagnostic {
  enum class Severity : std::uint8_t { error, warning };
  Severity severity = Severity::error;
  std::string file;          // as the user named it; "<stdin>" for standard input, kCommandLine for an override
  std::uint32_t line = 0;    // 1-based; 0 if the problem has no position (a command-line override, for example)
  std::uint32_t column = 0;  // 1-based, in bytes
  std::string pointer;       // JSON pointer (RFC 6901) of the offending value; empty for the whole document
  std::string message;       // the problem and what was expected, one sentence without a final stop
  std::string suggestion;    // the nearest valid word, or empty: printed as `did you mean "..."?`
  std::string source_line;   // the line of the document, for the caret; empty if there is none
};

using Diagnostics = std::vector<Diagnostic>;

// True if any of them is an error.
[[nodiscard]] bool has_errors(const Diagnostics& diagnostics);

// `file:line:column: error: /pointer: message; did you mean "x"?`, then the source line and a caret below the column.
// Ends with a newline.
[[nodiscard]] std::string to_string(const Diagnostic& diagnostic);

}  // namespace loopsim
