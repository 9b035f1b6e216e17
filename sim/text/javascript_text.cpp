#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
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

// Number::toString (ECMAScript 6.1.6.1.20): the shortest digits that read back as the same number. They are {fmt}'s: the tables of
// std::to_chars() for double are a fourteenth of what the playground fetches.
void append_javascript_number(std::string& out, double number) {
  if (std::isnan(number)) return void(out += "NaN");
  if (std::isinf(number)) return void(out += number < 0 ? "-Infinity" : "Infinity");
  if (std::fabs(number) < 0x1p53 && std::trunc(number) == number) {
    char buffer[24];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, static_cast<std::int64_t>(number)).ptr);
    return;
  }
  if (number < 0) out += '-';
  // The number is 0.DIGITS times ten to the power of `point`.
  std::array<char, 64> text{};
  const char* const end = fmt::format_to_n(text.data(), text.size(), "{}", std::fabs(number)).out;
  std::array<char, 32> digits{};
  int count = 0;
  int point = 0;
  bool is_behind = false;
  const char* at = text.data();
  for (; at != end && *at != 'e'; ++at) {
    if (*at == '.') {
      is_behind = true;
    } else if (*at == '0' && count == 0) {
      if (is_behind) --point;
    } else {
      digits[static_cast<std::size_t>(count++)] = *at;
      if (!is_behind) ++point;
    }
  }
  if (at != end) {
    int exponent = 0;
    std::from_chars(at + (at[1] == '+' ? 2 : 1), end, exponent);
    point += exponent;
  }
  while (digits[static_cast<std::size_t>(count) - 1] == '0') --count;
  const auto part = [&](int from, int to) { out.append(digits.data() + from, digits.data() + to); };
  const auto zeros = [&](int many) { out.append(static_cast<std::size_t>(many), '0'); };
  if (point > 21 || point <= -6) {
    part(0, 1);
    if (count > 1) out += '.';
    part(1, count);
    out += fmt::format("e{:+}", point - 1);
  } else if (point <= 0) {
    out += "0.";
    zeros(-point);
    part(0, count);
  } else if (count > point) {
    part(0, point);
    out += '.';
    part(point, count);
  } else {
    part(0, count);
    zeros(point - count);
  }
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
