// The key `inputs`: what the world outside the process does, each thing at a time of its own.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/reader.hpp"
#include "sim/scenario/suggest.hpp"
#include "sim/scenario/units.hpp"

namespace loopsim {
namespace {

struct InputVerb {
  std::string_view name;
  OutsideEvent::Kind kind;
  std::array<std::string_view, 3> keys;  // beside the verb itself
};

constexpr std::array<InputVerb, 5> kInputVerbs = {{
    {"signal", OutsideEvent::Kind::signal, {"at"}},
    {"connect", OutsideEvent::Kind::connect, {"at", "as"}},
    {"write", OutsideEvent::Kind::write, {"at", "data"}},
    {"end", OutsideEvent::Kind::end, {"at"}},
    {"destroy", OutsideEvent::Kind::destroy, {"at"}},
}};

constexpr std::size_t kLongestText = 4096;  // as a write: what is longer would arrive in pieces

std::vector<std::string_view> verb_names() {
  std::vector<std::string_view> names;
  for (const InputVerb& verb : kInputVerbs) names.push_back(verb.name);
  return names;
}

}  // namespace

void Reader::read_inputs(NodeIndex node) {
  constexpr std::string_view kHint = R"(a list of inputs such as {"at": "30ms", "signal": "SIGTERM"})";
  if (!is_kind(node, Kind::list, kHint)) return;
  for (const NodeIndex item : children_of(node)) {
    if (is_kind(item, Kind::object, R"(an input such as {"at": "30ms", "signal": "SIGTERM"})")) read_input(item);
  }
}

void Reader::read_input(NodeIndex node) {
  const InputVerb* verb = nullptr;
  NodeIndex verb_member = kNone;
  for (const InputVerb& other : kInputVerbs) {
    const NodeIndex member = document_.find(node, other.name);
    if (member == kNone) continue;
    if (verb != nullptr) {
      error(node, fmt::format("an input does one thing; here are \"{}\" and \"{}\"", verb->name, other.name));
      return;
    }
    verb = &other;
    verb_member = member;
  }
  if (verb == nullptr) {
    std::string suggestion;
    for (const NodeIndex member : children_of(node)) {
      if (suggestion.empty() && document_[member].key != "at")
        suggestion = nearest(document_[member].key, verb_names());
    }
    error(node, fmt::format("an input needs one of {}", fmt::join(verb_names(), ", ")), std::move(suggestion));
    return;
  }
  std::vector<std::string_view> allowed = {verb->name};
  for (const std::string_view key : verb->keys) {
    if (!key.empty()) allowed.push_back(key);
  }
  check_keys(node, allowed, fmt::format("an input with \"{}\"", verb->name));

  OutsideEvent event;
  event.kind = verb->kind;
  event.node = node;
  if (const NodeIndex at = document_.find(node, "at"); at != kNone) {
    event.at = read_fixed_duration(at);
  } else {
    error(node, "an input needs \"at\", the time at which it happens, counted from the start of the process");
  }
  if (event.kind == OutsideEvent::Kind::signal) {
    event.signal = read_signal(verb_member);
  } else {
    read_client(verb_member, event);
  }
  if (event.kind == OutsideEvent::Kind::write) {
    const NodeIndex data = document_.find(node, "data");
    if (data == kNone) {
      error(node, "\"write\" needs \"data\", the text that the client sends");
    } else if (is_kind(data, Kind::text, "a text to send") && text(data).empty()) {
      error(data, "a client cannot send an empty text");
    } else if (text(data).size() > kLongestText) {
      error(data, fmt::format("a client sends at most {} bytes at once, found {}", kLongestText, text(data).size()));
    }
    if (data != kNone) event.data = text(data);
  }
  scenario_.inputs.push_back(std::move(event));
}

// Of `connect` the port, and with `as` the client's name; of the others the name.
void Reader::read_client(NodeIndex node, OutsideEvent& event) {
  auto& inputs = scenario_.inputs;
  const auto connects = [&](std::string_view name) {
    return std::find_if(inputs.begin(), inputs.end(), [&](const OutsideEvent& other) {
      return other.kind == OutsideEvent::Kind::connect && other.client_name == name;
    });
  };
  if (event.kind == OutsideEvent::Kind::connect) {
    event.port = static_cast<std::uint16_t>(read_whole(node, 1, 65535, "a port"));
    event.client = static_cast<std::uint32_t>(std::ranges::count(inputs, event.kind, &OutsideEvent::kind));
    const NodeIndex as = document_.find(document_[node].parent, "as");
    if (as == kNone || !is_kind(as, Kind::text, "a name")) return;
    event.client_name = text(as);
    if (!is_identifier(event.client_name)) {
      error(as, fmt::format("\"{}\" is no name; a name has letters, digits, _ and $, and does not begin with a digit",
                            event.client_name));
    } else if (connects(event.client_name) != inputs.end()) {
      error(as, fmt::format("another client is named \"{}\" already", event.client_name));
    }
    return;
  }
  if (!is_kind(node, Kind::text, "a client's name")) return;
  const auto client = connects(text(node));
  if (text(node).empty() || client == inputs.end()) {
    std::vector<std::string_view> known;
    for (const OutsideEvent& other : inputs) {
      if (other.kind == OutsideEvent::Kind::connect && !other.client_name.empty()) known.push_back(other.client_name);
    }
    error(node, fmt::format("no \"connect\" before this input names a client {}", document_.json(node)),
          nearest(text(node), known));
    return;
  }
  if (event.at < client->at) {
    error(document_.find(document_[node].parent, "at"),
          fmt::format("the client \"{}\" connects only at {}", client->client_name, to_text(client->at)));
  }
  event.client = client->client;
  event.client_name = client->client_name;
}

// The signal's number.
int Reader::read_signal(NodeIndex node) {
  if (!is_kind(node, Kind::text, "a signal such as \"SIGTERM\"")) return 0;
  if (const SignalInfo* signal = find_signal(text(node))) return signal->number;
  if (text(node) == "SIGUSR1") {
    error(node, "SIGUSR1 is not simulated: Node keeps it for its debugger", "SIGUSR2");
    return 0;
  }
  std::vector<std::string_view> names;
  for (const SignalInfo& signal : signals()) names.push_back(signal.name);
  error(node, fmt::format("there is no signal {}; there are {}", document_.json(node), fmt::join(names, ", ")),
        find_signal("SIG" + std::string(text(node))) != nullptr ? "SIG" + std::string(text(node))
                                                                : nearest(text(node), names));
  return 0;
}

}  // namespace loopsim
