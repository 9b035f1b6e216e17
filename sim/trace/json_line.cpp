#include "sim/trace/json_line.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kDeepest = 64;  // nesting of values that are only passed on

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string& text, std::uint32_t code) {
  const auto add = [&text](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code < 0x80U) return add(code);
  if (code < 0x800U) {
    add(0xC0U | (code >> 6U));
  } else {
    if (code < 0x10000U) {
      add(0xE0U | (code >> 12U));
    } else {
      add(0xF0U | (code >> 18U));
      add(0x80U | ((code >> 12U) & 0x3FU));
    }
    add(0x80U | ((code >> 6U) & 0x3FU));
  }
  add(0x80U | (code & 0x3FU));
}

}  // namespace

bool JsonLine::fail(std::string_view message) {
  error_ = message;
  error_offset_ = at_;
  return false;
}

void JsonLine::skip_blanks() {
  while (here() == ' ' || here() == '\t' || here() == '\r') ++at_;
}

bool JsonLine::expect(char token, std::string_view message) {
  skip_blanks();
  if (here() != token) return fail(message);
  ++at_;
  skip_blanks();
  return true;
}

bool JsonLine::read(std::string_view line) {
  line_ = line;
  at_ = 0;
  members_.clear();
  unescaped_.clear();
  unescaped_.reserve(line.size());  // so that texts pointing into it stay valid
  error_.clear();

  if (!expect('{', "expected a JSON object: {")) return false;
  if (here() == '}') {
    ++at_;
  } else {
    while (true) {
      if (!read_member()) return false;
      skip_blanks();
      if (here() == '}') break;
      if (!expect(',', "expected , or }")) return false;
    }
    ++at_;
  }
  skip_blanks();
  return at_end() || fail("expected the end of the line after the object");
}

bool JsonLine::read_member() {
  JsonMember member;
  member.key_offset = at_;
  if (here() != '"') return fail("expected a key in quotes");
  if (!read_text(member.key) || !expect(':', "expected : after the key")) return false;
  member.offset = at_;
  if (!read_value(member)) return false;
  member.raw = line_.substr(member.offset, at_ - member.offset);
  members_.push_back(member);
  return true;
}

bool JsonLine::read_value(JsonMember& member) {
  using Kind = JsonMember::Kind;
  switch (here()) {
    case '"': member.kind = Kind::text; return read_text(member.text);
    case '{': member.kind = Kind::object; return skip_nested();
    case '[': member.kind = Kind::array; return skip_nested();
    case 'n': member.kind = Kind::null; return read_word("null");
    case 't':
      member.kind = Kind::flag;
      member.flag = true;
      return read_word("true");
    case 'f': member.kind = Kind::flag; return read_word("false");
    default: break;
  }
  if (here() == '-' || is_digit(here())) return read_number(member);
  return fail("expected a value");
}

bool JsonLine::read_word(std::string_view word) {
  if (!line_.substr(at_).starts_with(word)) return fail("expected a value");
  at_ += word.size();
  return true;
}

bool JsonLine::read_number(JsonMember& member) {
  member.kind = JsonMember::Kind::integer;
  if (here() == '-') {
    member.negative = true;
    ++at_;
  }
  if (!is_digit(here())) return fail("expected a digit");
  if (here() == '0' && at_ + 1 < line_.size() && is_digit(line_[at_ + 1])) return fail("a number may not begin with 0");
  for (; is_digit(here()); ++at_) {
    const auto digit = static_cast<std::uint64_t>(here() - '0');
    member.too_large = member.too_large || member.magnitude > (UINT64_MAX - digit) / 10;
    member.magnitude = member.magnitude * 10 + digit;
  }
  if (here() == '.') {
    member.kind = JsonMember::Kind::number;
    ++at_;
    if (!is_digit(here())) return fail("expected a digit");
    while (is_digit(here())) ++at_;
  }
  if (here() == 'e' || here() == 'E') {
    member.kind = JsonMember::Kind::number;
    ++at_;
    if (here() == '+' || here() == '-') ++at_;
    if (!is_digit(here())) return fail("expected a digit");
    while (is_digit(here())) ++at_;
  }
  return true;
}

bool JsonLine::read_text(std::string_view& text) {
  const std::size_t begin = ++at_;
  const auto is_plain = [this] {
    return !at_end() && here() != '"' && here() != '\\' && static_cast<unsigned char>(here()) >= 0x20U;
  };
  while (is_plain()) ++at_;
  if (here() == '"' && !at_end()) {  // no escapes: a view of the line
    text = line_.substr(begin, at_ - begin);
    ++at_;
    return true;
  }
  const std::size_t first = unescaped_.size();
  unescaped_.append(line_.substr(begin, at_ - begin));
  while (true) {
    if (at_end()) return fail("expected the quote that ends the text");
    if (here() == '"') break;
    if (here() == '\\') {
      if (!read_escape()) return false;
    } else if (is_plain()) {
      unescaped_.push_back(here());
      ++at_;
    } else {
      return fail("a control character in a text must be escaped");
    }
  }
  ++at_;
  text = std::string_view(unescaped_).substr(first);
  return true;
}

bool JsonLine::read_escape() {
  ++at_;
  const char letter = here();
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  if (const std::size_t found = kLetters.find(letter); found != std::string_view::npos && !at_end()) {
    unescaped_.push_back(kMeant[found]);
    ++at_;
    return true;
  }
  if (letter != 'u') return fail("unknown escape: expected one of \" \\ / b f n r t u after the backslash");
  std::uint32_t code = 0;
  if (!read_code_unit(code)) return false;
  if (code >= 0xDC00U && code < 0xE000U) return fail("half of a surrogate pair");
  if (code >= 0xD800U && code < 0xDC00U) {
    std::uint32_t low = 0;
    if (here() != '\\' || line_.substr(at_ + 1, 1) != "u") return fail("half of a surrogate pair");
    ++at_;
    if (!read_code_unit(low)) return false;
    if (low < 0xDC00U || low >= 0xE000U) return fail("half of a surrogate pair");
    code = 0x10000U + ((code - 0xD800U) << 10U) + (low - 0xDC00U);
  }
  append_utf8(unescaped_, code);
  return true;
}

// At the u of \uXXXX.
bool JsonLine::read_code_unit(std::uint32_t& unit) {
  ++at_;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = here();
    std::uint32_t digit = 0;
    if (is_digit(c)) {
      digit = static_cast<std::uint32_t>(c - '0');
    } else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
      digit = static_cast<std::uint32_t>((c | 0x20) - 'a') + 10;
    } else {
      return fail("expected four hexadecimal digits after \\u");
    }
    unit = unit * 16 + digit;
  }
  return true;
}

// Skips an object or array, checking its grammar.
bool JsonLine::skip_nested() {
  std::string open;  // pending closing brackets, innermost last; '}': a key comes next
  const auto begin = [&] {
    open.push_back(here() == '{' ? '}' : ']');
    ++at_;
    skip_blanks();
  };
  begin();
  bool first = true;  // the innermost one is still empty
  while (!open.empty()) {
    if (here() == open.back() && !at_end()) {
      ++at_;
      open.pop_back();
      if (open.empty()) return true;
      first = false;
      skip_blanks();
      continue;
    }
    if (!first && !expect(',', open.back() == '}' ? "expected , or }" : "expected , or ]")) return false;
    if (open.back() == '}') {
      std::string_view key;
      if (here() != '"') return fail("expected a key in quotes");
      if (!read_text(key) || !expect(':', "expected : after the key")) return false;
    }
    if (here() == '{' || here() == '[') {
      if (open.size() == kDeepest) return fail("too many brackets within each other");
      begin();
      first = true;
      continue;
    }
    JsonMember value;
    if (!read_value(value)) return false;
    first = false;
    skip_blanks();
  }
  return true;
}

}  // namespace loopsim
