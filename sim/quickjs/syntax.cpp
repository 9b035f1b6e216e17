#include "sim/quickjs/syntax.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include "sim/program/program.hpp"
#include "sim/quickjs/library.hpp"
#include "sim/quickjs/library_asset.hpp"
#include "sim/quickjs/no_host.hpp"
#include "sim/quickjs/stack.hpp"
#include "sim/quickjs/syntax_table.hpp"
#include "sim/quickjs/words.hpp"

namespace loopsim::quickjs {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Behind blanks and comments.
std::size_t after_blanks(std::string_view text, std::size_t at) {
  for (;;) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    const std::string_view rest = text.substr(at, 2);
    if (rest == "//")
      at = std::min(text.find('\n', at), text.size());
    else if (rest == "/*")
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    else
      return at;
  }
}

// Whether a number with this character in it is at this place.
bool is_in_number(std::string_view text, std::size_t at) {
  while (at > 0 && is_word(text[at - 1])) --at;
  return is_digit(text[at]);
}

// Whether flags of a regular expression with this one among them may be behind this slash.
bool are_flags(std::string_view text, std::size_t slash, char flag) {
  const std::size_t end = std::min(text.find_first_not_of("dgimsuvy", slash + 1), text.size());
  const bool is_whole = end == text.size() || !is_word(text[end]);
  return is_whole && text.substr(slash + 1, end - slash - 1).find(flag) != std::string_view::npos;
}

// `9x`: x in a number. `/~x`: a slash and flags, with x among them. `a_b`: b behind a, with blanks and comments between.
// Anything else: as it is; `**` does not begin a comment.
bool has_mark(std::string_view text, std::string_view mark) {
  const bool is_number = mark.starts_with('9'), are_such_flags = mark.starts_with("/~");
  const std::size_t gap = mark.size() > 2 ? mark.find('_') : std::string_view::npos;
  const std::string_view first = is_number ? mark.substr(1) : are_such_flags ? mark.substr(0, 1) : mark.substr(0, gap);
  for (std::size_t at = text.find(first); at != std::string_view::npos; at = text.find(first, at + 1)) {
    if (is_number                       ? is_in_number(text, at)
        : are_such_flags                ? are_flags(text, at, mark.back())
        : gap != std::string_view::npos ? text.substr(after_blanks(text, at + first.size()), 1) == mark.substr(gap + 1)
                                        : mark != "**" || at == 0 || (text[at - 1] != '/' && text[at - 1] != '*'))
      return true;
  }
  return false;
}

bool may_have(std::string_view text, std::string_view marks) {
  if (marks.empty()) return true;
  while (!marks.empty()) {
    const std::size_t end = std::min(marks.find(' '), marks.size());
    if (has_mark(text, marks.substr(0, end))) return true;
    marks.remove_prefix(std::min(end + 1, marks.size()));
  }
  return false;
}

// Turns offsets in UTF-16 code units into places; they must come in order.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {}

  void go_to(double offset, MissingSyntax& place) {
    while (units_ < offset && at_ < text_.size()) {
      const auto lead = static_cast<unsigned char>(text_[at_]);
      units_ += lead >= 0xF0U ? 2 : 1;
      if (lead == '\n') {
        ++line_;
        line_begins_ = at_ + 1;
      }
      ++at_;
      while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xC0U) == 0x80U) ++at_;
    }
    place.line = line_;
    place.column = static_cast<std::uint32_t>(at_ - line_begins_) + 1;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0, line_begins_ = 0;
  double units_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

// Where constructs.js runs.
class SyntaxReader::World {
 public:
  World() : js_(host_, world_of(syntax_snapshot())) {
    const Js global = js_.global();
    constructs_ = js_.get(global, "__loopsim_constructs");
    js_.free(global);
  }

  // [construct, offset], ...
  Owned constructs_of(std::string_view text, bool is_module) {
    const Js arguments[] = {js_.make_string(text), Instance::make_boolean(is_module)};
    const Js found = js_.call(constructs_, kUndefined, arguments);
    js_.free(arguments[0]);
    if (found == kException) js_.free(js_.take_exception());
    return found;
  }

  Instance& js() { return js_; }

 private:
  NoHost host_;
  Instance js_;
  Js constructs_ = kUndefined;
};

SyntaxReader::SyntaxReader() = default;
SyntaxReader::~SyntaxReader() = default;

bool SyntaxReader::must_read(std::string_view text, int major) {
  return std::ranges::any_of(kConstructs,
                             [&](const ConstructRow& row) { return row.since > major && may_have(text, row.marks); });
}

namespace {

// What a thread's last texts have: each run of a study reads the same modules, and a comparison of versions the same program.
class Findings {
 public:
  struct Finding {
    XXH128_hash_t hash;
    std::size_t size;
    bool is_module;
    int nothing_from = std::numeric_limits<int>::max();  // in this version and later it need not be parsed
    std::optional<std::vector<MissingSyntax>> constructs =
        {};  // whatever some version has not; nothing before it is parsed
  };

  static Findings& of_thread() {
    static thread_local Findings findings;
    return findings;
  }
  // What is known of the text, which may be nothing yet; until the next call.
  Finding& of(std::string_view text, bool is_module) {
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    const auto found = std::ranges::find_if(all_, [&](const Finding& one) {
      return XXH128_isEqual(one.hash, hash) != 0 && one.size == text.size() && one.is_module == is_module;
    });
    if (found != all_.end()) return *found;
    if (all_.size() == kMost) all_.pop_front();
    all_.push_back(Finding{hash, text.size(), is_module});
    return all_.back();
  }

 private:
  static constexpr std::size_t kMost = 256;
  std::deque<Finding> all_;
};

}  // namespace

std::vector<MissingSyntax> SyntaxReader::missing(std::string_view text, bool is_module, int major) {
  Findings::Finding& known = Findings::of_thread().of(text, is_module);
  if (major >= known.nothing_from) return {};
  if (!known.constructs && !must_read(text, major)) {
    known.nothing_from = major;
    return {};
  }
  if (!known.constructs) known.constructs = constructs(text, is_module);
  std::vector<MissingSyntax> missing = *known.constructs;
  std::erase_if(missing, [&](const MissingSyntax& one) { return one.since <= major; });
  return missing;
}

std::vector<MissingSyntax> SyntaxReader::constructs(std::string_view text, bool is_module) {
  std::vector<MissingSyntax> constructs;
  if (world_ == nullptr) world_ = std::make_unique<World>();
  Instance& js = world_->js();
  const Js found = world_->constructs_of(text, is_module);
  if (found == kException) return constructs;
  const Js length = js.get(found, "length");
  const auto count = static_cast<std::uint32_t>(js.to_number(length));
  Places places(text);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Js pair = js.item(found, i);
    const Js name = js.item(pair, 0);
    const Js offset = js.item(pair, 1);
    const auto row = std::ranges::find(kConstructs, js.to_text(name), &ConstructRow::name);
    if (row != kConstructs.end()) {
      constructs.push_back({row->words, row->since});
      places.go_to(js.to_number(offset), constructs.back());
    }
    for (const Js value : {pair, name, offset}) js.free(value);
  }
  js.free(found);
  return constructs;
}

std::string words_of(const MissingSyntax& missing, int major) {
  return fmt::format("Node {} has no {}, only Node {} and later", major, missing.words, missing.since);
}

std::string line_of(std::string_view text, std::uint32_t line) {
  for (std::uint32_t i = 1; i < line; ++i) text.remove_prefix(text.find('\n') + 1);
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return std::string(text);
}

std::string message_of(std::span<const MissingSyntax> missing, int major) {
  const int since = std::ranges::max(missing, {}, &MissingSyntax::since).since;
  return fmt::format("{}; try -r node-{}", words_of(missing.front(), major), since);
}

}  // namespace loopsim::quickjs

namespace loopsim {

Diagnostics check_script(const Program& program) {
  if (!quickjs::SyntaxReader::must_read(program.script->source, program.profile->major)) return {};
  const int major = program.profile->major;
  std::vector<quickjs::MissingSyntax> missing;
  quickjs::with_stack_of_a_world([&] {
    quickjs::SyntaxReader reader;
    missing = reader.missing(program.script->source, program.entry == EntryPoint::module, major);
  });
  Diagnostics diagnostics;
  for (const quickjs::MissingSyntax& one : missing) {
    Diagnostic& diagnostic = diagnostics.emplace_back();
    diagnostic.file = program.script->file;
    diagnostic.line = one.line;
    diagnostic.column = one.column;
    diagnostic.message = diagnostics.size() == 1 ? quickjs::message_of(missing, major) : quickjs::words_of(one, major);
    diagnostic.source_line = quickjs::line_of(program.script->source, one.line);
  }
  return diagnostics;
}

}  // namespace loopsim
