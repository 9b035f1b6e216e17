#include "sim/scenario/javascript_text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace loopsim::javascript {
namespace {

// Escapes what neither kind of text may contain as it is; `more` are further characters to put a backslash before.
std::string escaped(std::string_view text, std::string_view more) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view rest = text.substr(i);
    if (c == '\\' || more.find(c) != std::string_view::npos) {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else if (rest.starts_with("\xE2\x80\xA8") ||
               rest.starts_with("\xE2\x80\xA9")) {  // line separators to old versions
      out += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string quoted(std::string_view text) { return '\'' + escaped(text, "'") + '\''; }

std::string template_part(std::string_view text) {
  std::string out = escaped(text, "`");
  for (std::size_t at = out.find("${"); at != std::string::npos; at = out.find("${", at + 3)) out.insert(at, 1, '\\');
  return out;
}

std::string number(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (value == std::floor(value) && std::fabs(value) < kExact) {
    return std::signbit(value) && value == 0 ? "-0" : std::to_string(static_cast<long long>(value));
  }
  return fmt::format("{}", value);
}

std::string milliseconds(TimeNs duration) {
  std::string text = std::to_string(duration / kMillisecond);
  if (duration % kMillisecond != 0) {
    text += fmt::format(".{:06}", duration % kMillisecond);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text;
}

}  // namespace loopsim::javascript
