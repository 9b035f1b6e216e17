// Values as JavaScript prints, compares and converts them.
#include "loopsim/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

#include "loopsim/units.hpp"

#include "sim/libuv/process.hpp"
#include "sim/node/environment.hpp"
#include "sim/vm/engine.hpp"

namespace loopsim::vm {

namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || (text.front() >= '\t' && text.front() <= '\r')))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || (text.back() >= '\t' && text.back() <= '\r'))) text.remove_suffix(1);
  return text;
}

// For a number outside a double's range: true if too small, not too large. Decided by its first non-zero digit.
bool is_tiny(std::string_view number) {
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  int exponent = 0;
  if (e != number.size()) {
    const std::size_t at = number[e + 1] == '+' ? e + 2 : e + 1;
    const auto error = std::from_chars(number.data() + at, number.data() + number.size(), exponent).ec;
    if (error == std::errc::result_out_of_range) return number[at] == '-';
  }
  const auto point = static_cast<std::int64_t>(std::min(number.find('.'), e));
  return point - static_cast<std::int64_t>(number.find_first_of("123456789")) + exponent < 0;
}

// StringToNumber (ECMAScript 7.1.4.1.1).
double parse_number(std::string_view text) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  text = trim(text);
  if (text.empty()) return 0;
  if (text.size() > 2 && text[0] == '0') {
    const char kind = text[1];
    const int base = kind == 'x' || kind == 'X'   ? 16
                     : kind == 'o' || kind == 'O' ? 8
                     : kind == 'b' || kind == 'B' ? 2
                                                  : 0;
    if (base != 0) {
      std::uint64_t value = 0;
      const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, base);
      return error == std::errc() && end == text.data() + text.size() ? static_cast<double>(value) : nan;
    }
  }
  double sign = 1;
  if (text.front() == '+' || text.front() == '-') {
    if (text.front() == '-') sign = -1;
    text.remove_prefix(1);
  }
  if (text == "Infinity") return sign * std::numeric_limits<double>::infinity();
  if (text.empty() || !((text.front() >= '0' && text.front() <= '9') || text.front() == '.')) return nan;
  const ParsedDouble number = parse_double(text);
  if (number.length != text.size()) return nan;
  if (!number.fits) return is_tiny(text) ? sign * 0.0 : sign * std::numeric_limits<double>::infinity();
  return sign * number.value;
}

// At most the first 40 bytes, in whole characters.
std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 40;
  if (text.size() <= kMost) return std::string(text);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace

std::string_view Engine::string_of(const Value& value) const {
  return value.tag == Tag::literal ? std::string_view(program_.strings[value.index])
                                   : std::string_view(heap_.strings[value.index].text);
}

// As in a template literal: `${value}`.
void Engine::append_text(std::string& out, const Value& value) const {
  switch (value.tag) {
    case Tag::undefined: out += "undefined"; return;
    case Tag::null: out += "null"; return;
    case Tag::boolean: out += value.index != 0 ? "true" : "false"; return;
    case Tag::number: append_javascript_number(out, value.number); return;
    case Tag::literal:
    case Tag::string: out += string_of(value); return;
    case Tag::error: {
      const ErrorObject& error = heap_.errors[value.index];
      out += error.name;
      if (error.tells_code) out.append(" [").append(error.code).append("]");
      if (!error.message.empty()) out.append(": ").append(error.message);
      return;
    }
    case Tag::list: append_list(out, value.index); return;
    case Tag::promise: out += profile_.promises_have_tag ? "[object Promise]" : "[object Object]"; return;
    case Tag::handle: out += libuv::to_string(uv_->kind(value.index)); return;
    case Tag::request: out += libuv::to_string(uv_->request_kind(value.index)); return;
    default: out += "[object Object]"; return;
  }
}

// Nested lists may be as deep as the program makes them: no recursion. A list may occur many times on every level, and
// take for ever to go through: no more entries than a run has steps.
void Engine::append_list(std::string& out, std::uint32_t list) const {
  struct Place {
    std::uint32_t list;
    std::size_t next = 0;  // item
  };
  std::vector<Place> places = {{list}};
  for (std::uint64_t entries = 0; !places.empty() && entries <= program_.limits.steps; ++entries) {
    Place& place = places.back();
    const std::vector<Value>& items = heap_.lists[place.list].items;
    if (place.next == items.size()) {
      places.pop_back();
      continue;
    }
    if (place.next != 0) out += ',';
    const Value& item = items[place.next++];
    if (item.tag == Tag::list)
      places.push_back({item.index});
    else if (item.tag != Tag::undefined && item.tag != Tag::null)
      append_text(out, item);
  }
}

// A text as util.inspect shows it. Not covered: texts of more than 76 characters with several lines, or of more than
// 10,000 characters. Separate from loopsim/text.hpp: quotes and escapes differ from version to version.
std::string Engine::inspect_text(std::string_view text) const {
  const TextShown shown = profile_.unhandled_error_text;
  if (shown == TextShown::plain) return std::string(text);
  const auto contains = [text](std::string_view what) { return text.find(what) != std::string_view::npos; };
  char quote = '\'';
  if (shown != TextShown::single_quotes && contains("'")) {
    if (!contains("\""))
      quote = '"';
    else if (!contains("`") && !contains("${"))
      quote = '`';
  }
  const bool hex = shown == TextShown::hex_escapes;
  std::string out(1, quote);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t known = std::string_view("\b\t\n\f\r").find(text[i]);
    if (text[i] == '\\' || (text[i] == '\'' && quote == '\'')) {
      out += '\\';
      out += text[i];
    } else if (known != std::string_view::npos) {
      out += '\\';
      out += "btnfr"[known];
    } else if (byte < 0x20) {
      out += fmt::format(fmt::runtime(hex ? "\\x{:02X}" : "\\u{:04x}"), byte);
    } else if (hex && byte == 0x7F) {
      out += "\\x7F";
    } else if (hex && byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[++i]));
    } else {
      out += text[i];
    }
  }
  return out + quote;
}

// What a promise was settled with, in a few words; empty: undefined. No tour through long lists and texts.
std::string Engine::trace_text(const Value& value) const {
  constexpr std::size_t kMostItems = 4;
  switch (value.tag) {
    case Tag::undefined: return {};
    case Tag::literal:
    case Tag::string: return "'" + shortened(string_of(value)) + "'";
    case Tag::error: return shortened(to_text(value));
    case Tag::list: {
      const std::vector<Value>& items = heap_.lists[value.index].items;
      std::string text = "[";
      for (std::size_t i = 0; i < std::min(items.size(), kMostItems); ++i) {
        const Value& item = items[i];
        const std::string words = item.tag == Tag::list ? "[...]" : trace_text(item);
        text += fmt::format("{}{}", i == 0 ? " " : ", ", words.empty() ? "undefined" : words);
      }
      if (items.size() > kMostItems) text += ", ...";
      return text + (items.empty() ? "]" : " ]");
    }
    case Tag::promise: return "a promise";
    case Tag::null:
    case Tag::boolean:
    case Tag::number: return to_text(value);
    default: return "an object";
  }
}

void Engine::charge_text(const Value& value) {
  switch (value.tag) {
    case Tag::literal:
    case Tag::string: charge_bytes(string_of(value).size()); return;
    case Tag::error: {
      const ErrorObject& error = heap_.errors[value.index];
      charge_bytes(error.name.size() + error.code.size() + error.message.size());
      return;
    }
    case Tag::list: break;
    default: return;
  }
  std::vector<std::uint32_t> lists = {value.index};
  while (!lists.empty() && steps() <= program_.limits.steps) {
    const std::vector<Value>& items = heap_.lists[lists.back()].items;
    lists.pop_back();
    count_step();
    charge_entries(items.size());
    for (const Value& item : items) {
      if (item.tag == Tag::list)
        lists.push_back(item.index);
      else
        charge_text(item);
    }
  }
}

std::string Engine::to_text(const Value& value) const {
  std::string text;
  append_text(text, value);
  return text;
}

void Engine::append_template(std::string& out, const TextTemplate& text) {
  for (std::uint32_t i = 0; i < text.count; ++i) {
    const TextPiece& piece = program_.text_pieces[text.first + i];
    switch (piece.kind) {
      case TextPart::Kind::text: out += program_.strings[piece.string]; break;
      case TextPart::Kind::now:
        append_javascript_number(out, static_cast<double>(machine_->loop_clock() - start_clock_));
        break;
      case TextPart::Kind::since: {
        // Date.now() - mark: both in whole milliseconds; NaN when the mark was never passed.
        const TimeMs mark = marks_[piece.operand];
        append_javascript_number(out, mark == kNever ? std::numeric_limits<double>::quiet_NaN()
                                                     : static_cast<double>(machine_->loop_clock() - mark));
        break;
      }
      default: {
        const Value value = evaluate(piece.operand);
        charge_text(value);
        // For non-errors, `${x && x.message}`.
        if (piece.kind == TextPart::Kind::variable || (value.tag != Tag::error && !is_true(value))) {
          append_text(out, value);
        } else if (value.tag == Tag::error) {
          const ErrorObject& error = heap_.errors[value.index];
          const std::string& field = piece.kind == TextPart::Kind::message ? error.message : error.code;
          out += piece.kind == TextPart::Kind::code && field.empty() ? "undefined" : field;
        } else {
          out += "undefined";
        }
        heap_.release(value);
        break;
      }
    }
  }
}

double Engine::to_number(const Value& value) const {
  switch (value.tag) {
    case Tag::null: return 0;
    case Tag::boolean: return value.index;
    case Tag::number: return value.number;
    case Tag::literal:
    case Tag::string: return parse_number(string_of(value));
    case Tag::list: return parse_number(to_text(value));
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

// The + operator: joins texts, adds numbers. Objects become texts.
Value Engine::add_values(const Value& left, const Value& right) {
  const bool text = left.tag == Tag::literal || right.tag == Tag::literal || left.is_object() || right.is_object();
  charge_text(left);
  charge_text(right);
  if (!text) return Value::of_number(to_number(left) + to_number(right));
  std::string joined = to_text(left);
  append_text(joined, right);
  return heap_.make_string(std::move(joined));
}

bool Engine::strictly_equal(const Value& left, const Value& right) const {
  const auto is_text = [](const Value& value) { return value.tag == Tag::literal || value.tag == Tag::string; };
  if (is_text(left) && is_text(right)) return string_of(left) == string_of(right);
  if (left.tag != right.tag) return false;
  if (left.tag == Tag::number) return left.number == right.number;
  if (left.tag == Tag::undefined || left.tag == Tag::null) return true;
  return left.index == right.index;
}

bool Engine::is_true(const Value& value) const {
  switch (value.tag) {
    case Tag::undefined:
    case Tag::null: return false;
    case Tag::boolean: return value.index != 0;
    case Tag::number: return value.number != 0 && !std::isnan(value.number);
    case Tag::literal:
    case Tag::string: return !string_of(value).empty();
    default: return true;
  }
}

// The exception for a thrown text: new Error(text). Takes over the reference.
Value Engine::error_from(const Value& value) {
  const Value error = heap_.make_error("Error", to_text(value));
  heap_.release(value);
  return error;
}

}  // namespace loopsim::vm
