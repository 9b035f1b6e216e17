// The builder scans the text once, token by token, and makes a node of each value. It accepts what RFC 8259 accepts, no
// more; tests/property/json_grammar.cpp compares it with nlohmann's parser, which it replaced for speed
// (docs/performance.md). `cursor_` is the end of the last complete token. A syntax error is explained from there, with
// the tokens that were expected.
#include "sim/scenario/document.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "loopsim/text.hpp"
#include "loopsim/units.hpp"

#include "sim/scenario/scan.hpp"
#include "sim/trace/utf8.hpp"

namespace loopsim {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_number_char(char c) { return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; }
bool is_word_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '.' ||
         c == '-' || c == '+';
}

// The value of the four hexadecimal digits at `offset`, or -1.
int hex_digits(std::string_view text, std::size_t offset) {
  if (offset + 4 > text.size()) return -1;
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data() + offset, text.data() + offset + 4, value, 16);
  return failure == std::errc() && end == text.data() + offset + 4 && text[offset] != '-' ? value : -1;
}

// RFC 8259: an optional minus, digits without a leading zero, an optional fraction, an optional exponent.
bool is_json_number(std::string_view word) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < word.size() && is_digit(word[at])) ++at;
    return at - begin;
  };
  if (word.starts_with('-')) ++at;
  const std::size_t first = at;
  const std::size_t whole = digits();
  if (whole == 0 || (whole > 1 && word[first] == '0')) return false;
  if (at < word.size() && word[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
    ++at;
    if (at < word.size() && (word[at] == '+' || word[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == word.size();
}

// Length of the longest number at the start of `word`; 0: none, or it ends after a '-', '.', 'e' or exponent sign.
std::size_t number_length(std::string_view word) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < word.size() && is_digit(word[at])) ++at;
    return at != begin;
  };
  if (word.starts_with('-')) ++at;
  if (at < word.size() && word[at] == '0') {
    ++at;
  } else if (!digits()) {
    return 0;
  }
  if (at < word.size() && word[at] == '.') {
    ++at;
    if (!digits()) return 0;
  }
  if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
    ++at;
    if (at < word.size() && (word[at] == '+' || word[at] == '-')) ++at;
    if (!digits()) return 0;
  }
  return at;
}

// Whether the number is finite as a double.
bool is_finite(std::string_view number) {
  constexpr std::size_t kSure = 300;  // shorter numbers without an exponent are finite
  const auto is_exponent = [](char c) { return c == 'e' || c == 'E'; };
  if (number.size() < kSure && std::ranges::none_of(number, is_exponent)) return true;
  return std::isfinite(std::strtod(std::string(number).c_str(), nullptr));
}

// The first byte from `at` on that a text does not contain as it is: a quote, a backslash, a control character.
std::size_t find_special(std::string_view text, std::size_t at) {
  return find_byte(text, at, [](EightBytes eight) { return eight.equal('"') | eight.equal('\\') | eight.below(0x20); });
}

void append_utf8(std::string& out, unsigned code) {
  const auto add = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (code < 0x80U) return add(code);
  if (code < 0x800U) {
    add(0xC0U | code >> 6U);
  } else {
    if (code < 0x10000U) {
      add(0xE0U | code >> 12U);
    } else {
      add(0xF0U | code >> 18U);
      add(0x80U | (code >> 12U & 0x3FU));
    }
    add(0x80U | (code >> 6U & 0x3FU));
  }
  add(0x80U | (code & 0x3FU));
}

bool is_typescript(std::string_view file) {
  constexpr std::array<std::string_view, 5> kEndings = {".jsx", ".ts", ".mts", ".cts", ".tsx"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return file.ends_with(ending); });
}

std::string quoted_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte >= 0x7F ? fmt::format("the byte 0x{:02X}", byte) : fmt::format("'{}'", c);
}

}  // namespace

// Parses a text and builds the tree. Also used for the JSON texts of the command line, whose values have no place of
// their own (`place` is then that of the value they replace).
class DocumentBuilder {
 public:
  using Node = Document::Node;
  DocumentBuilder(Document& document, std::string_view text, const Node* place, Diagnostics* diagnostics)
      : document_(document), text_(text), place_(place), diagnostics_(diagnostics) {}

  [[nodiscard]] NodeIndex root() const { return root_; }

  // Reads the whole text. False on an error, which has been reported to the diagnostics, if any.
  bool read() {
    if (text_.starts_with("\xEF\xBB\xBF")) cursor_ = 3;  // the byte order mark that some editors write
    if (!read_value(skip_blanks(cursor_))) return false;
    if (skip_blanks(cursor_) < text_.size()) return fail();
    return true;
  }

 private:
  // The last token, which decides what may follow.
  enum class State : std::uint8_t { start, object_start, list_start, after_key, after_value };

  struct Open {
    NodeIndex node;
    NodeIndex last_child;
    std::size_t first_key;  // in keys_
  };
  struct Key {
    std::string_view text;
    NodeIndex member;
  };

  Node& last() { return document_.nodes_.back(); }

  // ---- the grammar: `at` is the first byte of a token ----

  [[nodiscard]] std::size_t skip_blanks(std::size_t at) const {
    while (at < text_.size() && is_blank(text_[at])) ++at;
    return at;
  }
  [[nodiscard]] bool stands(char c, std::size_t at) const { return at < text_.size() && text_[at] == c; }

  bool fail() {
    if (diagnostics_ != nullptr) diagnostics_->push_back(explain());
    return false;
  }

  bool read_value(std::size_t at) {
    if (at >= text_.size()) return fail();
    switch (text_[at]) {
      case '{': return read_object(at);
      case '[': return read_list(at);
      case '"': return read_text(at);
      case 't': return read_word(at, "true", Document::Kind::boolean);
      case 'f': return read_word(at, "false", Document::Kind::boolean);
      case 'n': return read_word(at, "null", Document::Kind::null);
      default: return read_number(at);
    }
  }

  bool read_object(std::size_t at) {
    if (!open(Document::Kind::object, State::object_start, at)) return false;
    at = skip_blanks(cursor_);
    if (!stands('}', at)) {
      while (true) {
        if (!stands('"', at) || !read_key(at)) return fail();
        at = skip_blanks(cursor_);
        if (!stands(':', at)) return fail();
        if (!read_value(skip_blanks(at + 1))) return false;
        at = skip_blanks(cursor_);
        if (!stands(',', at)) break;
        at = skip_blanks(at + 1);
      }
      if (!stands('}', at)) return fail();
    }
    check_duplicates();
    close(at);
    return true;
  }

  bool read_list(std::size_t at) {
    if (!open(Document::Kind::list, State::list_start, at)) return false;
    at = skip_blanks(cursor_);
    if (!stands(']', at)) {
      while (true) {
        if (!read_value(at)) return false;
        at = skip_blanks(cursor_);
        if (!stands(',', at)) break;
        at = skip_blanks(at + 1);
      }
      if (!stands(']', at)) return fail();
    }
    close(at);
    return true;
  }

  // False when the text that begins at `at` is incomplete or malformed.
  bool read_key(std::size_t at) {
    const std::size_t close = find_close(at);
    if (close == std::string_view::npos) return false;
    key_begin_ = at;
    has_key_ = true;
    keeps_key_ = is_kept() || close - at > Document::kMostKeyLength;
    cursor_ = close + 1;
    state_ = State::after_key;
    return true;
  }

  bool read_text(std::size_t at) {
    const std::size_t close = find_close(at);
    if (close == std::string_view::npos) return fail();
    const bool kept = is_kept();
    add(Document::Kind::text, at, close + 1 - at);
    Node& node = last();
    node.has_text = true;
    node.keeps_text = kept;
    node.first = kept ? document_.keep(decoded(at + 1, close)) : static_cast<std::uint32_t>(at + 1);
    node.count = static_cast<std::uint32_t>(close - at - 1);
    return true;
  }

  bool read_word(std::size_t at, std::string_view word, Document::Kind kind) {
    if (text_.substr(at, word.size()) != word) return fail();
    add(kind, at, word.size());
    last().boolean = word == "true";
    return true;
  }

  bool read_number(std::size_t at) {
    std::size_t length = number_length(text_.substr(at));
    if (length == 0 || !is_finite(text_.substr(at, length))) return fail();
    if (at + length < text_.size() && is_number_char(text_[at + length]))
      length = 1;  // as in "010": the rest is not a comma, so reading fails, and explain() finds the start
    add(Document::Kind::number, at, length);
    Node& node = last();
    node.has_text = true;
    node.keeps_text = place_ != nullptr;
    node.first =
        node.keeps_text ? document_.keep(std::string(text_.substr(at, length))) : static_cast<std::uint32_t>(at);
    node.count = static_cast<std::uint32_t>(length);
    return true;
  }

  // ---- texts ----

  // The closing quote of the text that the quote at `at` opens; npos when it is malformed. Sets has_escapes_.
  std::size_t find_close(std::size_t at) {
    has_escapes_ = false;
    for (at = find_special(text_, at + 1); at < text_.size(); at = find_special(text_, at)) {
      if (text_[at] == '"') return at;
      if (text_[at] != '\\') break;
      has_escapes_ = true;
      const std::size_t length = escape_length(at);
      if (length == 0) break;
      at += length;
    }
    return std::string_view::npos;
  }

  // Length of the escape at `at`; a surrogate pair is one escape. 0 when it is invalid.
  [[nodiscard]] std::size_t escape_length(std::size_t at) const {
    if (at + 1 >= text_.size()) return 0;
    if (text_[at + 1] != 'u')
      return std::string_view("\"\\/bfnrt").find(text_[at + 1]) == std::string_view::npos ? 0 : 2;
    const int unit = hex_digits(text_, at + 2);
    if (unit < 0) return 0;
    if (unit < 0xD800 || unit > 0xDFFF) return 6;
    if (unit > 0xDBFF || text_.substr(at + 6, 2) != "\\u") return 0;
    const int second = hex_digits(text_, at + 8);
    return second >= 0xDC00 && second <= 0xDFFF ? 12 : 0;
  }

  // Whether the text that find_close() scanned last must be stored in kept_.
  [[nodiscard]] bool is_kept() const { return has_escapes_ || place_ != nullptr; }

  // Decodes the well-formed text between `begin` and `end`.
  [[nodiscard]] std::string decoded(std::size_t begin, std::size_t end) const {
    std::string out;
    for (std::size_t at = begin; at < end;) {
      if (text_[at] != '\\') {
        out += text_[at++];
        continue;
      }
      const std::size_t length = escape_length(at);
      if (length == 2) {
        constexpr std::string_view kWritten = "bfnrt";
        const std::size_t which = kWritten.find(text_[at + 1]);
        out += which == std::string_view::npos ? text_[at + 1] : "\b\f\n\r\t"[which];
      } else {
        auto code = static_cast<unsigned>(hex_digits(text_, at + 2));
        if (length == 12) {
          const auto low = static_cast<unsigned>(hex_digits(text_, at + 8));
          code = 0x10000U + ((code - 0xD800U) << 10U) + (low - 0xDC00U);
        }
        append_utf8(out, code);
      }
      at += length;
    }
    return out;
  }

  // ---- nodes ----

  void add(Document::Kind kind, std::size_t begin, std::size_t length) {
    const auto index = static_cast<NodeIndex>(document_.nodes_.size());
    Node node;
    node.begin = static_cast<std::uint32_t>(place_ == nullptr ? begin : place_->begin);
    node.kind = kind;
    node.overridden = place_ != nullptr;
    if (has_key_) {  // whose end is still the cursor
      const std::size_t close = cursor_ - 1;
      node.has_key = true;
      node.keeps_key = keeps_key_ || begin - close > Document::kMostKeyGap;
      std::string_view key = text_.substr(key_begin_ + 1, close - key_begin_ - 1);
      if (node.keeps_key) {
        key = document_.kept_keys_[index] = decoded(key_begin_ + 1, close);
      } else {
        node.key_length = static_cast<std::uint16_t>(key.size());
      }
      keys_.push_back({key, index});
      has_key_ = false;
    }
    cursor_ = begin + length;
    state_ = State::after_value;
    if (stack_.empty()) {
      root_ = index;
    } else {
      Open& parent = stack_.back();
      node.parent = parent.node;
      ++document_.nodes_[parent.node].count;
      (parent.last_child == kNone ? document_.nodes_[parent.node].first : document_.nodes_[parent.last_child].next) =
          index;
      parent.last_child = index;
    }
    document_.nodes_.push_back(node);
  }

  bool open(Document::Kind kind, State state, std::size_t at) {
    add(kind, at, 1);
    if (stack_.size() >= Document::kMaxNesting) {
      if (diagnostics_ != nullptr) {
        diagnostics_->push_back(document_.diagnose_offset(
            cursor_ - 1, fmt::format("values are nested more than {} deep", Document::kMaxNesting)));
      }
      return false;
    }
    stack_.push_back({static_cast<NodeIndex>(document_.nodes_.size() - 1), kNone, keys_.size()});
    state_ = state;
    return true;
  }

  void close(std::size_t at) {
    cursor_ = at + 1;
    stack_.pop_back();
    state_ = State::after_value;
  }

  // Of the innermost open object, whose keys it takes from keys_. Compares all pairs of keys in small objects, sorts the
  // keys of large ones.
  void check_duplicates() {
    constexpr std::ptrdiff_t kSmall = 12;
    const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(stack_.back().first_key);
    if (keys_.end() - begin <= kSmall) {
      for (auto again = begin; again != keys_.end(); ++again) {
        const auto first = std::find_if(begin, again, [&](const Key& key) { return key.text == again->text; });
        if (first != again) report_duplicate(first->member, again->member);
      }
    } else {
      std::sort(begin, keys_.end(), [](const Key& a, const Key& b) {
        const int order = a.text.compare(b.text);
        return order != 0 ? order < 0 : a.member < b.member;
      });
      auto first = begin;
      for (auto again = begin + 1; again != keys_.end(); ++again) {
        if (again->text == first->text) {
          report_duplicate(first->member, again->member);
        } else {
          first = again;
        }
      }
    }
    keys_.erase(begin, keys_.end());
  }

  void report_duplicate(NodeIndex first, NodeIndex again) {
    constexpr std::size_t kMost = 100;  // plus one, by which read_scenario() sees that there are more
    if (diagnostics_ == nullptr || diagnostics_->size() > kMost) return;
    diagnostics_->push_back(document_.diagnose_key(
        again, fmt::format("the key \"{}\" is given twice, first on line {}", document_.key(again),
                           document_.line_column(document_.key_begin(first)).first)));
  }

  // ---- syntax errors in plain words ----

  [[nodiscard]] std::string expected() const {
    switch (state_) {
      case State::start: return "a value";
      case State::object_start: return "a key in double quotes, or '}'";
      case State::list_start: return "a value, or ']'";
      case State::after_key: return "a value";
      case State::after_value: break;
    }
    if (stack_.empty()) return "the end of the document";
    const bool in_object = document_.kind(stack_.back().node) == Document::Kind::object;
    return in_object ? "',' or '}'" : "',' or ']'";
  }

  // Diagnoses the first token after `cursor_`.
  [[nodiscard]] Diagnostic explain() const {
    bool comma = false;
    bool colon = false;
    std::size_t at = cursor_;
    const auto skip_blanks = [&] {
      while (at < text_.size() && is_blank(text_[at])) ++at;
    };
    skip_blanks();
    const bool in_object = !stack_.empty() && document_.kind(stack_.back().node) == Document::Kind::object;
    if (state_ == State::after_key) {
      if (at < text_.size() && text_[at] == ':') {
        colon = true;
        ++at;
        skip_blanks();
      }
    } else if (state_ == State::after_value && !stack_.empty() && at < text_.size() && text_[at] == ',') {
      comma = true;
      ++at;
      skip_blanks();
    }

    const auto problem = [&](std::size_t offset, std::string message) {
      return document_.diagnose_offset(offset, std::move(message));
    };
    std::string wanted = expected();
    if (state_ == State::after_key && !colon) wanted = "':' after the key";
    if (comma) wanted = in_object ? "a key in double quotes after the comma" : "a value after the comma";

    if (is_typescript(document_.file())) {
      return problem(
          at,
          "this file is TypeScript or JSX by its name; loopsim runs JavaScript (.js, .cjs, .mjs), so compile "
          "it first");
    }
    if (place_ == nullptr && looks_like_javascript()) {
      return problem(at,
                     "this looks like JavaScript, and a scenario is a JSON document; a program has a name in .js, .cjs "
                     "or .mjs, or is given with --js");
    }
    if (at >= text_.size()) {
      if (stack_.empty()) return problem(at, "the document is empty; expected an object");
      const auto open_at = document_.line_column(document_.nodes_[stack_.back().node].begin);
      return problem(
          at, fmt::format("the document ends in the middle: expected {}; the {} that begins on line {} is not closed",
                          wanted, in_object ? "object" : "list", open_at.first));
    }
    if (const std::size_t number = number_before(at); number != at && !comma && !colon) {
      return problem(number, not_a_number(text_.substr(number, word_end(at) - number)));
    }
    const char c = text_[at];
    if (comma && (c == '}' || c == ']'))
      return problem(at, fmt::format("a comma before '{}' is not allowed in JSON", c));
    if (c == '/' && at + 1 < text_.size() && (text_[at + 1] == '/' || text_[at + 1] == '*')) {
      return problem(at, "JSON has no comments; \"description\" of the document takes a text, or a list of lines");
    }
    if (c == '\'') return problem(at, "texts and keys are written in double quotes");
    if (c == '"') {
      if (Diagnostic in_text; explain_text(at, in_text)) return in_text;
      if (state_ == State::after_value && !comma) {
        return problem(at, fmt::format("expected {}, found a text; is a comma missing before it?", wanted));
      }
    }
    const bool wants_key = in_object && (state_ == State::object_start || comma);
    if (is_word_char(c)) {
      const std::string_view word = text_.substr(at, word_end(at) - at);
      if (wants_key)
        return problem(at, fmt::format("expected {}, found {}; keys stand in double quotes", wanted, word));
      if (state_ == State::after_value && !comma) {
        return problem(at, fmt::format("expected {}, found {}", wanted, word));
      }
      if (is_digit(c) || c == '-' || c == '+' || c == '.') {
        if (is_json_number(word)) {
          return problem(at, fmt::format("the number {} is too large", word));
        }
        return problem(at, not_a_number(word));
      }
      return problem(at, fmt::format("expected {}, found {}; texts stand in double quotes", wanted, word));
    }
    return problem(at, fmt::format("expected {}, found {}", wanted, named_character(at)));
  }

  // Whether the text begins as programs do and JSON does not; comments before it say nothing.
  [[nodiscard]] bool looks_like_javascript() const {
    if (text_.starts_with("#!")) return true;
    std::size_t at = skip_blanks(0);
    while (at < text_.size() && text_[at] == '/') {
      const bool is_line = text_.substr(at).starts_with("//");
      const std::size_t end = text_.find(is_line ? "\n" : "*/", at);
      if (end == std::string_view::npos) return false;
      at = skip_blanks(end + (is_line ? 1 : 2));
    }
    if (at >= text_.size()) return false;
    const std::string_view rest = text_.substr(at);
    if (rest.starts_with("'use strict'") || rest.starts_with("\"use strict\"")) return true;
    const std::string_view word = rest.substr(0, word_end(at) - at);
    const bool is_word = !word.empty() && !is_digit(word.front()) && word.front() != '-' && word.front() != '+';
    return (is_word && word != "true" && word != "false" && word != "null") || rest.starts_with('(') ||
           rest.starts_with(';');
  }

  // The character at `at` for a message; those that look like one of JSON's by their names.
  [[nodiscard]] std::string named_character(std::size_t at) const {
    struct Lookalike {
      std::string_view character, name, meant;
    };
    constexpr std::string_view kQuotes = "a straight double quote, \"";
    constexpr std::array<Lookalike, 21> kLookalikes = {{
        {"\u201C", "the curly quote \u201C", kQuotes},
        {"\u201D", "the curly quote \u201D", kQuotes},
        {"\u201E", "the low quote \u201E", kQuotes},
        {"\u2018", "the curly quote \u2018", kQuotes},
        {"\u2019", "the curly quote \u2019", kQuotes},
        {"\u00AB", "the angle quote \u00AB", kQuotes},
        {"\u00BB", "the angle quote \u00BB", kQuotes},
        {"\u300C", "the corner quote \u300C", kQuotes},
        {"\u300D", "the corner quote \u300D", kQuotes},
        {"\uFF02", "the fullwidth quote \uFF02", kQuotes},
        {"\uFF0C", "the fullwidth comma \uFF0C", "an ASCII comma"},
        {"\u3001", "the ideographic comma \u3001", "an ASCII comma"},
        {"\uFF1A", "the fullwidth colon \uFF1A", "an ASCII colon"},
        {"\uFF5B", "the fullwidth brace \uFF5B", "an ASCII brace"},
        {"\uFF5D", "the fullwidth brace \uFF5D", "an ASCII brace"},
        {"\uFF3B", "the fullwidth bracket \uFF3B", "an ASCII bracket"},
        {"\uFF3D", "the fullwidth bracket \uFF3D", "an ASCII bracket"},
        {"\u3000", "an ideographic space (U+3000)", "a space"},
        {"\u00A0", "a no-break space (U+00A0)", "a space"},
        {"\u200B", "a zero-width space (U+200B)", "nothing"},
        {"\uFEFF", "a byte order mark (U+FEFF) in the middle", "nothing"},
    }};
    const std::string_view found = character_at(at);
    for (const Lookalike& lookalike : kLookalikes) {
      if (lookalike.character == found) return fmt::format("{}; JSON has {} there", lookalike.name, lookalike.meant);
    }
    return found.size() == 1 ? quoted_byte(text_[at]) : fmt::format("'{}'", found);
  }

  [[nodiscard]] std::size_t word_end(std::size_t at) const {
    while (at < text_.size() && is_word_char(text_[at])) ++at;
    return at;
  }

  // Start of the number that the word at `at` adjoins, as in 10ms or 010; `at` when there is none.
  [[nodiscard]] std::size_t number_before(std::size_t at) const {
    if (at != cursor_ || state_ != State::after_value || at >= text_.size() || !is_word_char(text_[at])) return at;
    std::size_t begin = at;
    while (begin > 0 && is_number_char(text_[begin - 1])) --begin;
    return begin;
  }

  static std::string not_a_number(std::string_view word) {
    return fmt::format(
        "{} is not a number as JSON writes it (digits, one point with digits on both sides, no leading zeros or '+'); "
        "durations with a unit stand in double quotes, as \"10ms\"",
        word);
  }

  // The whole character at `at`; the document has been checked to be UTF-8.
  [[nodiscard]] std::string_view character_at(std::size_t at) const {
    const auto lead = static_cast<unsigned char>(text_[at]);
    return text_.substr(at, lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4);
  }

  // True when the text that begins at `begin` is malformed; `diagnostic` then says how.
  bool explain_text(std::size_t begin, Diagnostic& diagnostic) const {
    const auto say = [&](std::size_t offset, std::string message) {
      diagnostic = document_.diagnose_offset(offset, std::move(message));
      return true;
    };
    for (std::size_t at = begin + 1; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '"') return false;
      if (c == '\n' || c == '\r') {
        return say(begin,
                   "this text is not closed before the end of its line; write a line break inside a text as \\n");
      }
      if (static_cast<unsigned char>(c) < 0x20) {
        return say(at, fmt::format("{} may not stand in a text; write it as \\u{:04x}", quoted_byte(c),
                                   static_cast<unsigned>(static_cast<unsigned char>(c))));
      }
      if (c != '\\') continue;
      const std::size_t escape = at++;
      if (at >= text_.size()) break;
      if (text_[at] == 'u') {
        const int unit = hex_digits(text_, at + 1);
        if (unit < 0) return say(escape, "\\u needs four hexadecimal digits");
        at += 4;
        if (unit < 0xD800 || unit > 0xDFFF) continue;
        const bool has_pair = unit < 0xDC00 && text_.substr(at + 1, 2) == "\\u" &&
                              hex_digits(text_, at + 3) >= 0xDC00 && hex_digits(text_, at + 3) <= 0xDFFF;
        if (!has_pair)
          return say(escape, "half of a surrogate pair; \\uD800 to \\uDBFF need one of \\uDC00 to \\uDFFF after them");
        at += 6;
      } else if (std::string_view("\"\\/bfnrt").find(text_[at]) == std::string_view::npos) {
        return say(escape,
                   fmt::format("unknown escape \\{}; JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four "
                               "hexadecimal digits",
                               character_at(at)));
      }
    }
    return say(begin, "this text is never closed; a '\"' is missing");
  }

  Document& document_;
  std::string_view text_;
  const Node* place_;
  Diagnostics* diagnostics_;
  std::vector<Open> stack_;
  std::vector<Key> keys_;  // of the members of all open objects
  std::size_t cursor_ = 0;
  std::size_t key_begin_ = 0;
  bool has_key_ = false;
  bool has_escapes_ = false;  // of the text that find_close() scanned last
  bool keeps_key_ = false;    // of the key that was read last
  NodeIndex root_ = kNone;
  State state_ = State::start;
};

// ---- reading --------------------------------------------------------------------------------------------------------

Document::Document(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)) {
  line_starts_.push_back(0);
  if (text_.size() > kMaxBytes) return;
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  for (const char* at = begin; at != end;) {
    at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (at == nullptr) break;
    ++at;
    line_starts_.push_back(static_cast<std::uint32_t>(at - begin));
  }
}

std::shared_ptr<Document> Document::parse(std::string text, std::string file, Diagnostics& diagnostics) {
  const std::shared_ptr<Document> document(new Document(std::move(text), std::move(file)));
  const std::string& bytes = document->text_;
  if (bytes.size() > kMaxBytes) {
    diagnostics.push_back(document->diagnose_offset(0, "the document is larger than 1 GiB"));
    return document;
  }
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    diagnostics.push_back(document->diagnose_offset(0, "the document is UTF-16; save it as UTF-8"));
    return document;
  }
  if (const std::size_t at = find_invalid_utf8(bytes); at != std::string_view::npos) {
    diagnostics.push_back(document->diagnose_offset(
        at, fmt::format("{} is not UTF-8; save the document as UTF-8", quoted_byte(bytes[at]))));
    return document;
  }
  DocumentBuilder builder(*document, bytes, nullptr, &diagnostics);
  document->nodes_.reserve(bytes.size() / 12);
  if (builder.read()) document->root_ = builder.root();
  return document;
}

NodeIndex Document::add_fragment(std::string_view text, NodeIndex place) {
  if (find_invalid_utf8(text) != std::string_view::npos) return kNone;
  is_changed_ = true;
  const Node at = nodes_[place];
  const std::size_t before = nodes_.size();
  DocumentBuilder builder(*this, text, &at, nullptr);
  if (!builder.read()) {
    nodes_.resize(before);
    return kNone;
  }
  return builder.root();
}

std::uint32_t Document::keep(std::string text) {
  kept_.push_back(std::move(text));
  return static_cast<std::uint32_t>(kept_.size() - 1);
}

// ---- finding --------------------------------------------------------------------------------------------------------

NodeIndex Document::find(NodeIndex object, std::string_view key) const {
  for (const NodeIndex member : children(*this, object)) {
    if (this->key(member) == key) return member;
  }
  return kNone;
}

std::string key_of_token(std::string_view token) {
  std::string key;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool is_escape = token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1');
    key += is_escape ? (token[++i] == '0' ? '~' : '/') : token[i];
  }
  return key;
}

NodeIndex Document::child(NodeIndex node, std::string_view token) const {
  if (nodes_[node].kind == Kind::object) return find(node, key_of_token(token));
  if (nodes_[node].kind != Kind::list) return kNone;
  std::uint32_t index = 0;
  const auto [end, failure] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (failure != std::errc() || end != token.data() + token.size()) return kNone;
  NodeIndex item = first_child(node);
  for (; item != kNone && index > 0; --index) item = next(item);
  return item;
}

NodeIndex Document::at_pointer(std::string_view pointer) const {
  NodeIndex node = root_;
  while (node != kNone && !pointer.empty()) {
    if (pointer.front() != '/') return kNone;
    pointer.remove_prefix(1);
    const std::string_view token = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(token.size());
    node = child(node, token);
  }
  return node;
}

std::string Document::pointer(NodeIndex node) const {
  if (node == kNone || node == root_ || node >= nodes_.size()) return {};
  const Node& self = nodes_[node];
  if (self.parent == kNone) return {};
  std::string token;
  if (nodes_[self.parent].kind == Kind::list) {
    std::size_t index = 0;
    for (NodeIndex child = first_child(self.parent); child != node && child != kNone; child = next(child)) ++index;
    token = std::to_string(index);
  } else {
    for (const char c : key(node)) {
      if (c == '~') {
        token += "~0";
      } else if (c == '/') {
        token += "~1";
      } else {
        token += c;
      }
    }
  }
  return pointer(self.parent) + '/' + token;
}

std::pair<std::uint32_t, std::uint32_t> Document::line_column(std::size_t offset) const {
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(next - line_starts_.begin());
  return {line, column_at(offset, line)};
}

std::uint32_t Document::column_at(std::size_t offset, std::uint32_t line) const {
  std::size_t start = line_starts_[line - 1];
  if (start == 0 && text_.starts_with("\xEF\xBB\xBF") && offset >= 3) start = 3;
  return static_cast<std::uint32_t>(offset - start + 1);
}

std::string Document::source_line(std::uint32_t line) const {
  constexpr std::size_t kLongestLine = 240;  // a longer line is not shown
  const std::size_t begin = line_starts_[line - 1];
  const std::size_t end = line < line_starts_.size() ? line_starts_[line] - 1 : text_.size();
  std::string_view text = std::string_view(text_).substr(begin, end - begin);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (text.size() > kLongestLine || find_invalid_utf8(text) != std::string_view::npos) return {};
  std::string shown(text);
  const auto is_control = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; };
  std::replace_if(shown.begin(), shown.end(), is_control, '?');  // they could disturb a terminal
  return shown;
}

std::size_t Document::key_begin(NodeIndex member) const {
  const Node& self = nodes_[member];
  if (!self.has_key) return self.begin;
  std::size_t at = key_end(self);
  const auto is_escaped = [&](std::size_t quote) {
    std::size_t first = quote;
    while (text_[first - 1] == '\\') --first;
    return (quote - first) % 2 == 1;
  };
  do --at;
  while (text_[at] != '"' || is_escaped(at));
  return at;
}

std::size_t Document::end(NodeIndex node) const {
  std::size_t at = nodes_[node].begin;
  std::size_t depth = 0;
  do {
    const char c = text_[at];
    if (c == '"') {
      for (++at; text_[at] != '"'; ++at) {
        if (text_[at] == '\\') ++at;
      }
      ++at;
    } else if (is_word_char(c)) {
      while (at < text_.size() && is_word_char(text_[at])) ++at;
    } else {
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      ++at;
    }
  } while (depth > 0);
  return at;
}

Scenario::Place Document::place(NodeIndex node) const {
  if (has_forgotten()) return read_again()->place(node);
  if (node >= nodes_.size()) return {};
  const auto [line, column] = line_column(nodes_[node].begin);
  return {line, column, pointer(node)};
}

std::uint32_t Document::line(NodeIndex node, std::uint32_t& hint) const {
  constexpr std::size_t kNear = 8;
  const std::uint32_t offset = begin(node);
  std::size_t line = hint;
  if (line > 0 && line_starts_[line - 1] <= offset) {
    const std::size_t last = std::min(line + kNear, line_starts_.size());
    while (line < last && line_starts_[line] <= offset) ++line;
    if (line < last || line == line_starts_.size()) return hint = static_cast<std::uint32_t>(line);
  }
  return hint = line_column(offset).first;
}

std::uint32_t Document::column(NodeIndex node, std::uint32_t line) const { return column_at(begin(node), line); }

std::pair<std::uint32_t, std::uint32_t> Document::end_place(NodeIndex node) const {
  if (has_forgotten()) return read_again()->end_place(node);
  return node < nodes_.size() ? line_column(end(node)) : std::pair<std::uint32_t, std::uint32_t>{0, 0};
}

double Document::number(NodeIndex node) const {
  return parse_double(text(node)).value;  // 0 on underflow; numbers that are too large have been refused
}

// ---- diagnostics ----------------------------------------------------------------------------------------------------

namespace {

// Shortens a message: it may quote a name of a megabyte.
std::string shortened(std::string text) {
  constexpr std::size_t kMost = 2000;  // bytes
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not within a character
  text.resize(end);
  text.shrink_to_fit();
  return text + "...";
}

}  // namespace

Diagnostic Document::diagnose_offset(std::size_t offset, std::string message) const {
  Diagnostic diagnostic;
  diagnostic.file = file_;
  std::tie(diagnostic.line, diagnostic.column) = line_column(std::min(offset, text_.size()));
  diagnostic.message = shortened(std::move(message));
  diagnostic.source_line = source_line(diagnostic.line);
  return diagnostic;
}

Diagnostic Document::diagnose(NodeIndex node, std::string message, std::string suggestion) const {
  if (has_forgotten()) return read_again()->diagnose(node, std::move(message), std::move(suggestion));
  Diagnostic diagnostic;
  if (nodes_[node].overridden) {  // it is in no file
    diagnostic.file = kCommandLine;
    diagnostic.message = shortened(std::move(message));
  } else {
    diagnostic = diagnose_offset(nodes_[node].begin, std::move(message));
  }
  diagnostic.pointer = shortened(pointer(node));
  diagnostic.suggestion = std::move(suggestion);
  return diagnostic;
}

Diagnostic Document::diagnose_key(NodeIndex member, std::string message, std::string suggestion) const {
  if (has_forgotten()) return read_again()->diagnose_key(member, std::move(message), std::move(suggestion));
  Diagnostic diagnostic = diagnose(member, std::move(message), std::move(suggestion));
  if (nodes_[member].overridden) return diagnostic;
  std::tie(diagnostic.line, diagnostic.column) = line_column(key_begin(member));
  diagnostic.source_line = source_line(diagnostic.line);
  return diagnostic;
}

// ---- changing -------------------------------------------------------------------------------------------------------

void Document::copy_content(NodeIndex target, NodeIndex source) {
  is_changed_ = true;
  Node& to = nodes_[target];
  const Node& from = nodes_[source];
  to.kind = from.kind;
  to.boolean = from.boolean;
  to.has_text = from.has_text;
  to.keeps_text = from.keeps_text;
  to.first = from.first;
  to.count = from.count;
  to.overridden = to.overridden || from.overridden;
}

void Document::move_content(NodeIndex target, NodeIndex source) {
  copy_content(target, source);
  for (NodeIndex child = first_child(target); child != kNone; child = next(child)) nodes_[child].parent = target;
}

void Document::drop_first_byte(NodeIndex text) {
  is_changed_ = true;
  Node& node = nodes_[text];
  if (node.keeps_text) {  // other nodes may share it
    node.first = keep(kept_[node.first].substr(1));
  } else {
    ++node.first;
    --node.count;
  }
}

void Document::append_child(NodeIndex parent, NodeIndex value) {
  is_changed_ = true;
  nodes_[value].parent = parent;
  NodeIndex last = first_child(parent);
  if (last == kNone) {
    nodes_[parent].first = value;
  } else {
    while (nodes_[last].next != kNone) last = nodes_[last].next;
    nodes_[last].next = value;
  }
  ++nodes_[parent].count;
}

void Document::append_member(NodeIndex object, std::string key, NodeIndex value) {
  nodes_[value].has_key = nodes_[value].keeps_key = true;
  kept_keys_[value] = std::move(key);
  append_child(object, value);
}

void Document::wrap(NodeIndex scalar, std::string key) {
  const auto inner = static_cast<NodeIndex>(nodes_.size());
  const Node content = nodes_[scalar];
  nodes_.push_back(content);
  nodes_[inner].next = kNone;
  Node& outer = nodes_[scalar];
  outer.kind = Kind::object;
  outer.has_text = outer.keeps_text = false;
  outer.first = kNone;
  outer.count = 0;
  append_member(scalar, std::move(key), inner);
}

// ---- forgetting ----------------------------------------------------------------------------------------------------

void Document::forget_values() {
  if (is_changed_ || nodes_.empty()) return;
  begins_.reserve(nodes_.size());
  for (const Node& node : nodes_) begins_.push_back(node.begin);
  nodes_ = std::vector<Node>();  // but not the decoded texts, which the scenario refers to
}

std::shared_ptr<const Document> Document::read_again() const {
  Diagnostics none;
  return parse(text_, file_, none);
}

std::shared_ptr<const Document> Document::with_values(const std::shared_ptr<const Document>& document) {
  return document != nullptr && document->has_forgotten() ? document->read_again() : document;
}

// ---- writing --------------------------------------------------------------------------------------------------------

void Document::append_json(NodeIndex index, std::string& out) const {
  switch (kind(index)) {
    case Kind::invalid:
    case Kind::null: out += "null"; return;
    case Kind::boolean: out += boolean(index) ? "true" : "false"; return;
    case Kind::number: out += text(index); return;
    case Kind::text: out += json_string(text(index), JsonEscapes::few); return;
    case Kind::list:
    case Kind::object: break;
  }
  const bool is_object = kind(index) == Kind::object;
  out += is_object ? '{' : '[';
  for (const NodeIndex child : children(*this, index)) {
    if (child != first_child(index)) out += ',';
    if (is_object) {
      out += json_string(key(child), JsonEscapes::few);
      out += ':';
    }
    append_json(child, out);
  }
  out += is_object ? '}' : ']';
}

std::string Document::json(NodeIndex node) const {
  std::string out;
  append_json(node, out);
  return out;
}

}  // namespace loopsim
