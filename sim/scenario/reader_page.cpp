// A page in a browser: the markup of its body, and what the user does.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"

#include "sim/scenario/reader.hpp"

namespace loopsim {

namespace {

constexpr std::array<std::string_view, 4> kUserInputs = {"click", "keydown", "focus", "scroll"};

}  // namespace

// Markup, or a list of its lines.
void Reader::read_page_document(NodeIndex node) {
  if (profile_->family != Family::browser)
    return key_error(node,
                     fmt::format("only a page in a browser has a \"document\", and the runtime is {}", profile_->name));
  if (!scenario_.script) return;  // reported
  for (const std::string& line : read_lines(node, "the markup of the page's body: a text, or a list of texts (lines)"))
    scenario_.script->document += line + "\n";
}

void Reader::read_user_inputs(NodeIndex node) {
  constexpr std::string_view kHint = R"(a list of inputs such as {"at": "30ms", "click": "#button"})";
  if (!is_kind(node, Kind::list, kHint)) return;
  for (const NodeIndex item : children_of(node)) {
    if (!is_kind(item, Kind::object, R"(an input such as {"at": "30ms", "click": "#button"})")) continue;
    check_keys(item, std::array<std::string_view, 5>{"at", "click", "keydown", "focus", "scroll"}, "a user's input");
    OutsideEvent event;
    event.kind = OutsideEvent::Kind::user;
    event.node = item;
    const NodeIndex at = document_.find(item, "at");
    if (at == kNone)
      error(item, "an input needs \"at\", the time at which it happens, counted from the start of the page");
    else
      event.at = read_fixed_duration(at);
    for (const std::string_view name : kUserInputs) {
      const NodeIndex target = document_.find(item, name);
      if (target == kNone) continue;
      if (!event.client_name.empty())
        error(item, fmt::format("an input does one thing; here are \"{}\" and \"{}\"", event.client_name, name));
      event.client_name = name;
      if (is_kind(target, Kind::text, "a selector such as \"#button\"")) event.data = text(target);
    }
    if (event.client_name.empty()) error(item, fmt::format("an input needs one of {}", fmt::join(kUserInputs, ", ")));
    scenario_.inputs.push_back(std::move(event));
  }
}

}  // namespace loopsim
