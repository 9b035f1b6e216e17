// The key `inputs`: timed inputs from outside the process, and arrival processes.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"
#include "loopsim/units.hpp"

#include "sim/scenario/reader.hpp"

namespace loopsim {
struct InputVerb {
  std::string_view name;
  OutsideEvent::Kind kind;
  bool may_repeat;
  std::array<std::string_view, 2> keys;  // besides the verb and the time
};

namespace {

constexpr std::array<InputVerb, 5> kInputVerbs = {{
    {"signal", OutsideEvent::Kind::signal, true, {}},
    {"connect", OutsideEvent::Kind::connect, true, {"as"}},
    {"write", OutsideEvent::Kind::write, false, {"data"}},
    {"end", OutsideEvent::Kind::end, false, {}},
    {"destroy", OutsideEvent::Kind::destroy, false, {}},
}};

// Keys that make an input an arrival process, and its further keys.
constexpr std::array<std::string_view, 3> kProcesses = {"every", "poisson", "clients"};
constexpr std::array<std::string_view, 5> kProcessKeys = {"think", "bursts", "from", "until", "count"};
constexpr std::array<std::string_view, 2> kRequestKeys = {"data", "end"};
constexpr std::array<std::string_view, 2> kBurstKeys = {"on", "off"};

constexpr std::int64_t kMostClients = 10'000;
constexpr std::int64_t kMostRequests = 1'000'000'000;
constexpr std::int64_t kMostPerSecond = 1'000'000;
constexpr std::size_t kLongestText = 4096;  // in bytes, as for writes: a longer text would arrive in chunks

std::vector<std::string_view> verb_names() {
  std::vector<std::string_view> names;
  for (const InputVerb& verb : kInputVerbs) names.push_back(verb.name);
  return names;
}

}  // namespace

void Reader::read_inputs(NodeIndex node) {
  if (profile_->family == Family::browser) return read_user_inputs(node);
  constexpr std::string_view kHint = R"(a list of inputs such as {"at": "30ms", "signal": "SIGTERM"})";
  if (!is_kind(node, Kind::list, kHint)) return;
  for (const NodeIndex item : children_of(node)) {
    if (is_kind(item, Kind::object, R"(an input such as {"at": "30ms", "signal": "SIGTERM"})")) read_input(item);
  }
}

// What the input does; null: it has been reported that it is not clear.
const InputVerb* Reader::find_input_verb(NodeIndex node, NodeIndex& verb_member) {
  const InputVerb* verb = nullptr;
  for (const InputVerb& other : kInputVerbs) {
    const NodeIndex member = document_.find(node, other.name);
    if (member == kNone) continue;
    // `end` beside `connect` is one of its options.
    if (other.kind == OutsideEvent::Kind::end && verb != nullptr && verb->kind == OutsideEvent::Kind::connect) continue;
    if (verb != nullptr) {
      error(node, fmt::format("an input does one thing; here are \"{}\" and \"{}\"", verb->name, other.name));
      return nullptr;
    }
    verb = &other;
    verb_member = member;
  }
  if (verb == nullptr) {
    std::string suggestion;
    for (const NodeIndex member : children_of(node)) {
      if (suggestion.empty() && document_.key(member) != "at")
        suggestion = nearest(document_.key(member), verb_names());
    }
    error(node, fmt::format("an input needs one of {}", fmt::join(verb_names(), ", ")), std::move(suggestion));
    return nullptr;
  }
  const NodeIndex at = document_.find(node, "at");
  if (profile_->family != Family::libuv || (at != kNone && kind(at) != Kind::list)) return verb;
  error(node,
        "an input of a program for libuv alone happens at a time, as {\"at\": \"5ms\", \"signal\": \"SIGTERM\"}");
  return nullptr;
}

void Reader::read_input(NodeIndex node) {
  NodeIndex verb_member = kNone;
  const InputVerb* const verb = find_input_verb(node, verb_member);
  if (verb == nullptr) return;
  const NodeIndex at = document_.find(node, "at");
  const bool is_process =
      verb->may_repeat && ((at != kNone && kind(at) == Kind::list) || std::ranges::any_of(kProcesses, [&](auto key) {
                             return document_.find(node, key) != kNone;
                           }));
  std::vector<std::string_view> allowed = {verb->name, "at"};
  for (const std::string_view key : verb->keys) {
    if (!key.empty()) allowed.push_back(key);
  }
  if (verb->may_repeat) allowed.insert(allowed.end(), kProcesses.begin(), kProcesses.end());
  if (is_process) {
    allowed.insert(allowed.end(), kProcessKeys.begin(), kProcessKeys.end());
    if (verb->kind == OutsideEvent::Kind::connect)
      allowed.insert(allowed.end(), kRequestKeys.begin(), kRequestKeys.end());
  }
  check_keys(node, allowed, fmt::format("an input with \"{}\"", verb->name));

  OutsideEvent event;
  event.kind = verb->kind;
  event.node = node;
  if (is_process) {
    event.arrivals = read_arrivals(node, event.kind);
  } else if (at != kNone) {
    event.at = read_fixed_duration(at);
  } else {
    error(node, verb->may_repeat
                    ? R"(an input needs "at", the time at which it happens, counted from the start of the )"
                      R"(process, or "every", "poisson" or "clients", if it happens again and again)"
                    : R"(an input needs "at", the time at which it happens, counted from the start of the )"
                      "process");
  }
  if (event.kind == OutsideEvent::Kind::signal) {
    event.signal = read_signal(verb_member);
  } else {
    read_client(verb_member, event);
  }
  if (event.kind == OutsideEvent::Kind::write || is_process) {
    const NodeIndex data = document_.find(node, "data");
    if (data == kNone) {
      if (!is_process) error(node, "\"write\" needs \"data\", the text that the client sends");
    } else if (is_kind(data, Kind::text, "a text to send") && text(data).empty()) {
      error(data, "a client cannot send an empty text");
    } else if (text(data).size() > kLongestText) {
      error(data, fmt::format("a client sends at most {} bytes at once, found {}", kLongestText, text(data).size()));
    }
    if (data != kNone) event.data = text(data);
  }
  if (is_process && event.kind == OutsideEvent::Kind::connect) {
    const NodeIndex ends = document_.find(node, "end");
    if (ends != kNone && is_kind(ends, Kind::boolean, "true or false")) event.ends = document_.boolean(ends);
  }
  scenario_.inputs.push_back(std::move(event));
}

// ---- arrival processes ----------------------------------------------------------------------------------------------------------

Arrivals Reader::read_arrivals(NodeIndex node, OutsideEvent::Kind what) {
  const std::uint32_t stream = next_stream_;  // each arrival process has its own streams
  Arrivals arrivals;
  const auto member = [&](std::string_view key) { return document_.find(node, key); };
  const NodeIndex at = member("at");
  std::vector<std::string_view> given;
  for (const std::string_view key : {"at", "every", "poisson", "clients"}) {
    if (member(key) != kNone) given.push_back(key);
  }
  if (given.size() > 1) error(node, fmt::format("an input has one of {}, not both", fmt::join(given, ", ")));

  if (at != kNone) {
    arrivals.kind = Arrivals::Kind::list;
    if (kind(at) != Kind::list) {
      error(at, "an input that happens again and again has a list of times, or none");
      return arrivals;
    }
    for (const NodeIndex item : children_of(at)) {
      const TimeNs time = read_fixed_duration(item);
      if (!arrivals.times.empty() && time < arrivals.times.back())
        error(item, fmt::format("the times stand in order; the one before is {}", to_text(arrivals.times.back())));
      arrivals.times.push_back(time);
    }
  } else if (const NodeIndex every = member("every"); every != kNone) {
    arrivals.gap = read_duration(every);
    if (arrivals.gap.kind == Duration::Kind::fixed && arrivals.gap.a == 0 && kind(every) != Kind::invalid)
      error(every, "the time between two arrivals must be longer than 0");
  } else if (const NodeIndex poisson = member("poisson"); poisson != kNone) {
    const std::int64_t rate =
        read_millionths(poisson, 0, kMostPerSecond * 1'000'000, "a rate, the mean number of arrivals in a second");
    if (rate == 0) {  // no arrivals
      arrivals.kind = Arrivals::Kind::list;
    } else {
      arrivals.gap.kind = Duration::Kind::exponential;
      arrivals.gap.a = std::max<TimeNs>(kSecond * 1'000'000 / rate, 1);
    }
  } else if (const NodeIndex clients = member("clients"); clients != kNone) {
    arrivals.kind = Arrivals::Kind::closed;
    if (what != OutsideEvent::Kind::connect) error(clients, R"("clients" goes with "connect")");
    arrivals.clients = static_cast<std::uint32_t>(read_whole(clients, 1, kMostClients, "a number of clients"));
    if (const NodeIndex think = member("think"); think != kNone) {
      arrivals.gap = read_duration(think);
    } else {
      error(node, R"("clients" needs "think", the time between a client's answer and its next request)");
    }
  }

  if (const NodeIndex think = member("think"); think != kNone && member("clients") == kNone)
    key_error(think, R"("think" goes with "clients")");
  if (const NodeIndex bursts = member("bursts"); bursts != kNone) read_bursts(bursts, arrivals);
  if (const NodeIndex from = member("from"); from != kNone) arrivals.from = read_fixed_duration(from);
  if (const NodeIndex until = member("until"); until != kNone) arrivals.until = read_fixed_duration(until);
  if (const NodeIndex count = member("count"); count != kNone)
    arrivals.count = static_cast<std::uint64_t>(read_whole(count, 1, kMostRequests, "a number of arrivals"));
  next_stream_ = stream;
  return arrivals;
}

void Reader::read_bursts(NodeIndex node, Arrivals& arrivals) {
  if (!is_kind(node, Kind::object, R"(an object such as {"on": "1s", "off": "4s"})")) return;
  check_keys(node, kBurstKeys, "\"bursts\"");
  const NodeIndex on = document_.find(node, "on");
  const NodeIndex off = document_.find(node, "off");
  if (on == kNone || off == kNone) {
    error(node, R"("bursts" needs "on" and "off")");
    return;
  }
  if (arrivals.kind == Arrivals::Kind::closed || !arrivals.times.empty())
    error(node, R"("bursts" goes with "every" or "poisson")");
  arrivals.has_bursts = true;
  arrivals.on = read_duration(on);
  arrivals.off = read_duration(off);
}

// `node` is the port of a `connect`, which `as` can name; of the other verbs, the client's name.
void Reader::read_client(NodeIndex node, OutsideEvent& event) {
  auto& inputs = scenario_.inputs;
  if (event.kind == OutsideEvent::Kind::connect) {
    event.port = static_cast<std::uint16_t>(read_whole(node, 1, 65535, "a port"));
    event.client = client_count_++;
    const NodeIndex as = document_.find(document_.parent(node), "as");
    if (as == kNone || !is_kind(as, Kind::text, "a name")) return;
    event.client_name = text(as);
    if (!check_length(as, event.client_name)) {
      event.client_name.clear();
    } else if (!is_identifier(event.client_name)) {
      error(as, fmt::format("\"{}\" is no name; a name has letters, digits, _ and $, and does not begin with a digit",
                            event.client_name));
    } else if (!clients_.emplace(event.client_name, inputs.size()).second) {
      error(as, fmt::format("another client is named \"{}\" already", event.client_name));
    }
    return;
  }
  if (!is_kind(node, Kind::text, "a client's name")) return;
  const auto found = clients_.find(text(node));
  if (found == clients_.end()) {
    std::vector<std::string_view> known;
    for (const OutsideEvent& other : inputs) {
      if (other.kind == OutsideEvent::Kind::connect && !other.client_name.empty()) known.push_back(other.client_name);
    }
    error(node, fmt::format("no \"connect\" before this input names a client {}", document_.json(node)),
          nearest(text(node), known));
    return;
  }
  const OutsideEvent* const client = &inputs[found->second];
  const NodeIndex at = document_.find(document_.parent(node), "at");  // a missing one has been reported
  if (at != kNone && event.at < client->at) {
    error(at, fmt::format("the client \"{}\" connects only at {}", client->client_name, to_text(client->at)));
  }
  event.client = client->client;
  event.client_name = client->client_name;
}

// The signal's number; 0 after an error.
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
