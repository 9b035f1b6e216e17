#include <charconv>
#include <cmath>
#include <string_view>

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

// Number::toString (ECMAScript 6.1.6.1.20): the shortest digits that read back as the same number.
void append_javascript_number(std::string& out, double number) {
  if (std::isnan(number)) return void(out += "NaN");
  if (std::isinf(number)) return void(out += number < 0 ? "-Infinity" : "Infinity");
  if (number == 0) return void(out += '0');
  char buffer[64];
  const double magnitude = std::fabs(number);
  if (magnitude >= 1e-6 && magnitude < 0x1p53) {
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::fixed).ptr);
    return;
  }
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const std::size_t e = text.find('e');
  std::string_view exponent = text.substr(e + 2);
  while (exponent.front() == '0') exponent.remove_prefix(1);
  if (magnitude >= 1e21 || magnitude < 1e-6) {
    out += text.substr(0, e + 2);  // up to the sign of the exponent
    out += exponent;
    return;
  }
  // A large whole number: the shortest digits, then zeros. The fixed format would give all digits of the double.
  std::size_t places = 0;  // 15 to 20, plus one for the first digit
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), places);
  ++places;
  for (const char c : text.substr(0, e)) {
    if (c == '.') continue;
    out += c;
    if (c != '-') --places;
  }
  out.append(places, '0');
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
