// What the command line lays over a document: --set, --vary and the options of the machine.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"

#include "sim/scenario/reader.hpp"

namespace loopsim {
namespace {

using Override = std::pair<std::string, std::string>;

// True for /machine and /machine/load.
bool stands_above(std::string_view place, std::string_view other) {
  return place.starts_with('/') && other.size() > place.size() && other.starts_with(place) &&
         other[place.size()] == '/';
}

// The given order, but what stands above another place comes before it: a machine, and then its load.
std::vector<const Override*> from_above(const std::vector<Override>& overrides) {
  std::vector<const Override*> ordered;
  for (const Override& one : overrides) {
    const auto below = [&one](const Override* other) { return stands_above(one.first, other->first); };
    ordered.insert(one.first.starts_with('/') ? std::ranges::find_if(ordered, below) : ordered.end(), &one);
  }
  return ordered;
}

bool is_number_of_item(std::string_view token) {
  return !token.empty() && std::ranges::all_of(token, [](char c) { return c >= '0' && c <= '9'; });
}

// True for what a shell leaves of JSON without quotes around it: {cores:1}, [1ms,2ms], and of {"cores":1,"speed":2} in
// bash two settings, cores:1 and speed:2. `takes_object`: an object is what stands there, or nothing yet.
bool was_taken_apart(std::string_view value, bool takes_object) {
  if (value.starts_with('{') || value.starts_with('[')) return true;
  const std::size_t colon = value.find(':');
  return takes_object && colon != std::string_view::npos && is_identifier(value.substr(0, colon));
}

}  // namespace

void Reader::apply_overrides(NodeIndex root) {
  for (const Override* const one : from_above(options_.overrides)) apply_override(root, one->first, one->second);
}

void Reader::apply_override(NodeIndex root, const std::string& name, const std::string& value) {
  const NodeIndex target = name.starts_with('/') ? make_place(name, value) : find_param(root, name, value);
  if (target == kNone) return;
  NodeIndex given = document_.add_fragment(value, target);
  const bool takes_object = kind(target) == Kind::null || kind(target) == Kind::object;
  const bool is_broken = given == kNone && was_taken_apart(value, takes_object);
  if (given == kNone && !is_broken) {  // not JSON: a bare word
    std::string quoted = "\"";
    for (const char c : value) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    given = document_.add_fragment(quoted + '"', target);
  }
  if (given != kNone) return document_.move_content(target, given);
  document_.invalidate(target);  // it is told once what is wrong
  if (is_broken) {
    command_line_error(
        fmt::format("{}={}: an object whose quotes the shell has taken away; put the whole setting in "
                    "single quotes, as in --set '/machine={{\"cores\": 1}}'",
                    name, value));
  } else {
    command_line_error(fmt::format("{}: the value is neither JSON nor a plain text", name));
  }
}

// kNone, after an error, if the document has no such param.
NodeIndex Reader::find_param(NodeIndex root, const std::string& name, const std::string& value) {
  const NodeIndex params = document_.find(root, "params");
  std::vector<std::string_view> known;
  if (params != kNone && kind(params) == Kind::object) {
    if (const NodeIndex param = document_.find(params, name); param != kNone) return param;
    for (const NodeIndex member : children_of(params)) known.push_back(document_.key(member));
  }
  const std::string suggestion = nearest(name, known);
  std::string message = fmt::format("{}={}: the document has no param \"{}\"", name, value, name);
  if (suggestion.empty()) {
    message += known.empty() ? "; it has none (a place is named by a JSON pointer, such as /seed)"
                             : fmt::format("; it has {}", fmt::join(known, ", "));
  }
  command_line_error(std::move(message), suggestion);
  return kNone;
}

// The place that a JSON pointer names, which is made where it is missing, with all that is missing above it. Whether the
// language has such keys is asked later, as for those of the document. kNone, after an error, if it cannot be there.
NodeIndex Reader::make_place(const std::string& name, const std::string& value) {
  if (static_cast<std::size_t>(std::ranges::count(name, '/')) > Document::kMaxNesting) {
    command_line_error(fmt::format("{}: values cannot be nested more than {} deep", name, Document::kMaxNesting));
    return kNone;
  }
  NodeIndex node = document_.root();
  std::string_view below = name;
  while (!below.empty()) {
    const std::string_view place = std::string_view(name).substr(0, name.size() - below.size());
    below.remove_prefix(1);
    const std::string_view token = below.substr(0, below.find('/'));
    below.remove_prefix(token.size());
    spell_out(node, place);
    NodeIndex child = document_.child(node, token);
    if (child == kNone) child = make_child(node, token, below);
    if (child == kNone) {
      no_place(name, value, node, place);
      return kNone;
    }
    node = child;
  }
  return node;
}

// A new member of an object, or the next item of a list; `below` is what the pointer names in it. kNone: it cannot be.
NodeIndex Reader::make_child(NodeIndex node, std::string_view token, std::string_view below) {
  const bool is_next = is_number_of_item(token) && token == std::to_string(document_.size(node));
  if (kind(node) != Kind::object && (kind(node) != Kind::list || !is_next)) return kNone;
  std::string_view content = "null";
  if (!below.empty()) {
    const std::string_view inner = below.substr(1, below.find('/', 1) - 1);
    content = is_number_of_item(inner) ? "[]" : "{}";
  }
  const NodeIndex made = document_.add_fragment(content, node);
  if (kind(node) == Kind::object) {
    document_.append_member(node, key_of_token(token), made);
  } else {
    document_.append_item(node, made);
  }
  return made;
}

// Makes what is written short an object, so that keys can stand beside it: "laptop" is {"preset": "laptop"}.
void Reader::spell_out(NodeIndex node, std::string_view place) {
  const bool is_text = kind(node) == Kind::text;
  if (is_text && place == "/machine") document_.wrap(node, "preset");
  if (is_text && place == "/runtime") document_.wrap(node, "profile");
  const bool is_share = kind(node) == Kind::number || (is_text && text(node).starts_with('$'));
  if (is_share && place == "/machine/load") document_.wrap(node, "share");
}

// Reports that nothing can stand at a place, because of the value that stands above it.
void Reader::no_place(const std::string& name, const std::string& value, NodeIndex node, std::string_view place) {
  std::string why;
  if (kind(node) == Kind::list) {
    const std::uint32_t size = document_.size(node);
    why = size == 0 ? fmt::format("the list {} is empty, and its first item would be {}/0", place, place)
                    : fmt::format("the list {} ends with {}/{}, and a new item would be {}/{}", place, place, size - 1,
                                  place, size);
  } else {
    why = fmt::format("{} is {}, which has no keys", place, describe(node));
  }
  command_line_error(fmt::format("{}={}: the document has no place {}; {}", name, value, name, why));
}

}  // namespace loopsim
