#include "sim/scenario/javascript_marks.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "loopsim/verbs.hpp"

#include "sim/scenario/document.hpp"

namespace loopsim::javascript {
namespace {

constexpr char kBegin = '\x01';  // the index of the part follows, up to kBeginEnd
constexpr char kBeginEnd = '\x02';
constexpr char kEnd = '\x03';

}  // namespace

Marks::Marks(const Scenario& scenario) : document_(Document::with_values(scenario.document)) {}

std::string Marks::put(const Step& step, std::string_view text) {
  ScriptPart part;
  part.name = info(step.verb).name;
  return put(std::move(part), step.node, text);
}

std::string Marks::put(const Body& body, std::string_view label, std::string_view text) {
  ScriptPart part;
  part.kind = ScriptPart::Kind::body;
  part.name = label;
  bodies_.insert({body.node, parts_.size()});
  return put(std::move(part), body.node, text);
}

void Marks::note_run(const Body& body, std::string_view label) { other_runs_[body.node].emplace_back(label); }

std::string Marks::put(ScriptPart part, NodeIndex node, std::string_view text) {
  if (text.empty()) return {};
  const Scenario::Place begin = document_->place(node);
  part.line = begin.line;
  part.column = begin.column;
  std::tie(part.end_line, part.end_column) = document_->end_place(node);
  const bool has_newline = text.back() == '\n';
  if (has_newline) text.remove_suffix(1);
  std::string out = fmt::format("{}{}{}{}{}{}", kBegin, parts_.size(), kBeginEnd, text, kEnd, has_newline ? "\n" : "");
  parts_.push_back(std::move(part));
  return out;
}

MappedScript Marks::take(std::string_view marked) const {
  MappedScript script;
  script.text.reserve(marked.size());
  std::vector<ScriptPart> open;
  std::uint32_t line = 1;
  std::size_t line_begin = 0;  // in script.text
  const auto column = [&] { return static_cast<std::uint32_t>(script.text.size() - line_begin + 1); };
  for (std::size_t at = 0; at < marked.size(); ++at) {
    const char c = marked[at];
    if (c == kBegin) {
      std::size_t index = 0;
      for (++at; marked[at] != kBeginEnd; ++at) index = 10 * index + static_cast<std::size_t>(marked[at] - '0');
      open.push_back(parts_[index]);
      open.back().first = line;
      open.back().first_column = column();
    } else if (c == kEnd) {
      open.back().last = line;
      open.back().last_column = column();
      script.parts.push_back(std::move(open.back()));
      open.pop_back();
    } else {
      script.text += c;
      if (c != '\n') continue;
      ++line;
      line_begin = script.text.size();
    }
  }
  // Functions that are callbacks by name also run under the labels of the steps that name them.
  for (const auto& [node, labels] : other_runs_) {
    const auto body = bodies_.find(node);
    if (body == bodies_.end()) continue;
    const ScriptPart& written = parts_[body->second];
    const auto place = std::ranges::find_if(script.parts, [&written](const ScriptPart& part) {
      return part.kind == ScriptPart::Kind::body && part.line == written.line && part.column == written.column;
    });
    if (place == script.parts.end()) continue;
    const ScriptPart found = *place;
    for (const std::string& label : labels) {
      if (label == found.name) continue;
      script.parts.push_back(found);
      script.parts.back().name = label;
    }
  }
  return script;
}

}  // namespace loopsim::javascript
