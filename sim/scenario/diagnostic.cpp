#include "loopsim/diagnostic.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace loopsim {
namespace {

// The source line, and below it a caret under `column`. Tabs are kept, so that the caret lines up at any tab width.
std::string with_caret(std::string_view line, std::uint32_t column) {
  std::string padding;
  for (const char c : line.substr(0, column - 1)) {
    const bool is_continuation = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (c == '\t') {
      padding += '\t';
    } else if (!is_continuation) {
      padding += ' ';
    }
  }
  return fmt::format("  {}\n  {}^\n", line, padding);
}

}  // namespace

bool has_errors(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& diagnostic) { return diagnostic.severity == Diagnostic::Severity::error; });
}

std::string to_string(const Diagnostic& diagnostic) {
  std::string text = diagnostic.file;
  if (diagnostic.line != 0) text += fmt::format(":{}:{}", diagnostic.line, diagnostic.column);
  if (!text.empty()) text += ": ";
  text += diagnostic.severity == Diagnostic::Severity::error ? "error: " : "warning: ";
  if (!diagnostic.pointer.empty()) text += diagnostic.pointer + ": ";
  text += diagnostic.message;
  if (!diagnostic.suggestion.empty()) text += fmt::format("; did you mean \"{}\"?", diagnostic.suggestion);
  text += '\n';
  if (!diagnostic.source_line.empty() && diagnostic.column != 0) {
    text += with_caret(diagnostic.source_line, diagnostic.column);
  }
  return text;
}

}  // namespace loopsim
