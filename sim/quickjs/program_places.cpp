#include "sim/quickjs/program_places.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/quickjs/columns.hpp"
#include "sim/quickjs/words.hpp"

namespace loopsim::quickjs {

ProgramPlaces::ProgramPlaces(std::string_view source, std::uint32_t columns_before, const Tracer& tracer, Names& names,
                             std::vector<runtime::Place>& places, std::span<const ScriptPart> parts)
    : tracer_(tracer),
      names_(names),
      places_(places),
      columns_before_(columns_before),
      parts_(parts),
      is_ascii_(std::ranges::none_of(source, [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; })) {
  for (std::size_t from = 0; from <= source.size();) {
    const std::size_t end = std::min(source.find('\n', from), source.size());
    lines_.push_back(source.substr(from, end - from));
    from = end + 1;
  }
}

std::uint32_t ProgramPlaces::of_call(Api api, Js function) {
  SourcePosition at;
  std::string label;
  if (tracer_.on()) {
    at = caller();
    label = label_of(api, function, at);
  }
  return place_at(api, at, label);
}

std::uint32_t ProgramPlaces::of_listener(Api api, Js function, SourcePosition at) {
  return place_at(api, at, label_of(api, function, at));
}

std::uint32_t ProgramPlaces::line_of_function(Js function) {
  return told(in_source(js_->place_of_function(function, file_))).line;
}

// QuickJS counts columns of the first line from 0, though no less than 1, and those of others from 1 (js_parse_init,
// next_token: `eol`).
SourcePosition ProgramPlaces::in_source(SourcePosition at) const {
  const std::uint32_t before = columns_before_;
  if (at.line == 1 && at.column >= std::max<std::uint32_t>(before, 2)) at.column = at.column - before + 1;
  return at;
}

SourcePosition ProgramPlaces::caller() {
  SourcePosition at = in_source(js_->place_in(file_));
  at.column = callee_before(at);
  return at;
}

// As people and the trace count: QuickJS's columns, and ours until they are told, are bytes.
SourcePosition ProgramPlaces::told(SourcePosition at) const {
  if (!parts_.empty()) {
    const ScriptPart* const step = part_at(ScriptPart::Kind::step, at);
    return step == nullptr ? SourcePosition{} : SourcePosition{step->line, step->column};
  }
  if (!is_ascii_ && at.line != 0 && at.line <= lines_.size()) at.column = utf16_column(lines_[at.line - 1], at.column);
  return at;
}

const ScriptPart* ProgramPlaces::part_at(ScriptPart::Kind kind, SourcePosition at) const {
  const auto is_around = [at, kind](const ScriptPart& part) {
    const bool begins = part.first < at.line || (part.first == at.line && part.first_column <= at.column);
    const bool ends = part.last > at.line || (part.last == at.line && part.last_column > at.column);
    return part.kind == kind && begins && ends;
  };
  const auto found = std::ranges::find_if(parts_, is_around);
  return found == parts_.end() ? nullptr : &*found;
}

// The place of a call is that of its `(` (tools/quickjs/patch_wasm.py); V8's is where the last word of the callee begins.
std::uint32_t ProgramPlaces::callee_before(SourcePosition at) const {
  if (at.line == 0 || at.line > lines_.size() || at.column == 0) return at.column;
  const std::string_view line = lines_[at.line - 1];
  if (at.column > line.size() || line[at.column - 1] != '(') return at.column;
  std::string_view before = line.substr(0, at.column - 1);
  while (!before.empty() && (before.back() == ' ' || before.back() == '\t')) before.remove_suffix(1);
  if (before.ends_with("?.")) before.remove_suffix(2);
  std::size_t word = before.size();
  while (word > 0 && is_word(before[word - 1])) --word;
  return word < before.size() ? static_cast<std::uint32_t>(word) + 1 : at.column;
}

// QuickJS gives the end of the awaited expression: the last `await` before it, which may be some lines above.
SourcePosition ProgramPlaces::await_before(SourcePosition at) const {
  constexpr std::uint32_t kMostLines = 50;
  if (at.line == 0 || at.line > lines_.size()) return at;
  std::string_view before = lines_[at.line - 1].substr(0, at.column);
  for (std::uint32_t line = at.line; line > 0 && at.line - line < kMostLines; --line) {
    if (line < at.line) before = lines_[line - 1];
    if (const std::size_t found = before.rfind("await"); found != std::string_view::npos)
      return {line, static_cast<std::uint32_t>(found) + 1};
  }
  return {};
}

std::uint32_t ProgramPlaces::place_at(Api api, SourcePosition bytes, const std::string& label) {
  const SourcePosition at = told(bytes);
  const auto number = static_cast<std::uint32_t>(places_.size());
  const auto [known, is_new] = numbers_.try_emplace({api, at.line, at.column, label}, number);
  if (is_new) places_.push_back({label.empty() ? kNoName : names_.of(label), at.line, at.column, api, kNone});
  return known->second;
}

std::uint32_t ProgramPlaces::of_await(Js resumes) {
  SourcePosition at;
  std::string label;
  if (tracer_.on()) {
    at = await_before(in_source(js_->place_of_await(resumes, file_)));
    const ScriptPart* const body = part_at(ScriptPart::Kind::body, at);
    label = body != nullptr ? body->name
            : at.line == 0  ? std::string("await")
                            : fmt::format("await@{}:{}", at.line, told(at).column);
  }
  return place_at(Api::await, at, label);
}

// The function's own name; else the variable that the call's result goes to; else the call and its place.
std::string ProgramPlaces::label_of(Api api, Js function, SourcePosition at) {
  if (std::string own = js_->own_name(function); !own.empty()) return own;
  if (at.line == 0) return {};
  if (const std::string_view variable = variable_at(at); !variable.empty()) return std::string(variable);
  const SourcePosition place = told(at);
  return fmt::format("{}@{}:{}", to_string(api), place.line, place.column);
}

std::string_view ProgramPlaces::variable_at(SourcePosition at) const {
  if (at.line == 0 || at.line > lines_.size()) return {};
  std::string_view before = lines_[at.line - 1].substr(0, at.column - 1);
  const auto trim = [&] {
    while (!before.empty() && before.back() == ' ') before.remove_suffix(1);
  };
  // The place may be within the call's name, or behind it: go to where the expression begins.
  while (!before.empty() && (is_word(before.back()) || before.back() == '.')) before.remove_suffix(1);
  trim();
  if (before.empty() || before.back() != '=') return {};
  before.remove_suffix(1);
  if (!before.empty() && (before.back() == '=' || before.back() == '!' || before.back() == '<' || before.back() == '>'))
    return {};
  trim();
  std::size_t from = before.size();
  while (from > 0 && is_word(before[from - 1])) --from;
  return before.substr(from);
}

}  // namespace loopsim::quickjs
