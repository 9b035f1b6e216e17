#include <fmt/format.h>

#include "loopsim/text.hpp"

namespace loopsim {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

void add_control(std::string& out, char c) {
  switch (c) {
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    case '\r': out += "\\r"; return;
    default: out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c)); return;
  }
}

// Escapes control characters, line separators, backslashes and `quote`.
std::string escaped(std::string_view text, char quote) {
  std::string out;
  out.reserve(text.size() + 2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view rest = text.substr(i);
    if (c == '\\' || c == quote) {
      out += '\\';
      out += c;
    } else if (is_control(c)) {
      add_control(out, c);
    } else if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) {
      out += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";  // line terminators in old versions
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string javascript_string(std::string_view text) { return '\'' + escaped(text, '\'') + '\''; }

std::string javascript_template_part(std::string_view text) {
  std::string out = escaped(text, '`');
  for (std::size_t at = out.find("${"); at != std::string::npos; at = out.find("${", at + 3)) out.insert(at, 1, '\\');
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (is_control(c)) {
      add_control(out, c);
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace loopsim
