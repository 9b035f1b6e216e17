#include "sim/quickjs/syntax.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/machine/fiber.hpp"
#include "sim/program/program.hpp"
#include "sim/quickjs/library.hpp"
#include "sim/quickjs/library_asset.hpp"
#include "sim/quickjs/no_host.hpp"
#include "sim/quickjs/syntax_table.hpp"

namespace loopsim::quickjs {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// `9x`: a digit and x. `/~x`: a slash and small letters, with x among them. Anything else: as it is.
bool has_mark(std::string_view text, std::string_view mark) {
  if (mark.starts_with('9')) {
    for (std::size_t at = text.find(mark[1]); at != std::string_view::npos; at = text.find(mark[1], at + 1))
      if (at > 0 && is_digit(text[at - 1])) return true;
    return false;
  }
  if (!mark.starts_with("/~")) return text.find(mark) != std::string_view::npos;
  for (std::size_t at = text.find('/'); at != std::string_view::npos; at = text.find('/', at + 1)) {
    for (std::size_t i = at + 1; i < text.size() && is_lower(text[i]); ++i)
      if (text[i] == mark[2]) return true;
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

std::vector<MissingSyntax> SyntaxReader::missing(std::string_view text, bool is_module, int major) {
  std::vector<MissingSyntax> missing;
  if (!must_read(text, major)) return missing;
  if (world_ == nullptr) world_ = std::make_unique<World>();
  Instance& js = world_->js();
  const Js found = world_->constructs_of(text, is_module);
  if (found == kException) return missing;
  const Js length = js.get(found, "length");
  const auto count = static_cast<std::uint32_t>(js.to_number(length));
  Places places(text);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Js pair = js.item(found, i);
    const Js name = js.item(pair, 0);
    const Js offset = js.item(pair, 1);
    const auto row = std::ranges::find(kConstructs, js.to_text(name), &ConstructRow::name);
    if (row != kConstructs.end() && row->since > major) {
      missing.push_back({row->words, row->since});
      places.go_to(js.to_number(offset), missing.back());
    }
    for (const Js value : {pair, name, offset}) js.free(value);
  }
  js.free(found);
  return missing;
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
  Fiber fiber(
      [&] {
        quickjs::SyntaxReader reader;
        missing = reader.missing(program.script->source, program.entry == EntryPoint::module, major);
      },
      quickjs::kStackOfAWorld);
  if (const std::exception_ptr thrown = fiber.resume()) std::rethrow_exception(thrown);
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
