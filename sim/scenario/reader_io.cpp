// The key `io`: of the runtime `io`, what the process is and what arrives.
#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/io.hpp"
#include "loopsim/suggest.hpp"

#include "sim/scenario/reader.hpp"

namespace loopsim {
namespace {

constexpr std::array<std::string_view, 7> kIoKeys = {"model", "sockets",   "type", "buffer",
                                                     "work",  "meanwhile", "costs"};
constexpr std::array<std::string_view, 6> kModelKinds = {"blocking", "nonblocking", "multiplex",
                                                         "signal",   "async",       "threads"};
constexpr std::array<std::string_view, 4> kGroupKeys = {"as", "count", "arrivals", "end"};
constexpr std::array<std::string_view, 8> kArrivalKeys = {"at",   "every", "poisson", "bytes",
                                                          "from", "until", "count",   "bursts"};
constexpr std::array<std::string_view, 3> kTimes = {"at", "every", "poisson"};
// Of other runtimes: a document of this one has none of them.
constexpr std::array<std::string_view, 11> kOfPrograms = {"main",   "functions", "script", "env",   "files",   "takes",
                                                          "inputs", "arguments", "stdin",  "stubs", "commands"};

constexpr std::int64_t kMostSockets = 100'000;
constexpr std::uint32_t kMostForSelect = 1024 - kFirstSocket;  // FD_SETSIZE
constexpr std::int64_t kMostBytes = 1'048'576;
constexpr std::int64_t kMostEvents = 100'000;
constexpr std::int64_t kMostPending = 10'000'000;
constexpr std::string_view kModelHint = "a model of I/O, such as \"poll\", or a list of them";

std::vector<std::string_view> model_words() {
  std::vector<std::string_view> words(io_models().begin(), io_models().end());
  words.emplace_back("multiplex");
  return words;
}

// "a, b or c".
std::string one_of(std::span<const std::string_view> words) {
  return fmt::format("{} or {}", fmt::join(words.first(words.size() - 1), ", "), words.back());
}

Duration nanoseconds(TimeNs time) {
  Duration duration;
  duration.a = time;
  return duration;
}

// The costs `linux`: measured by tools/conformance/io/costs, in the order of IoCost.
constexpr std::array<TimeNs, kIoCosts> kLinux = {300, 70, 80, 150, 2000, 2500, 200, 300, 25'000};

}  // namespace

// ---- the document ---------------------------------------------------------------------------------------------------------------

void Reader::read_io(NodeIndex root) {
  for (const std::string_view key : kOfPrograms) {
    if (const NodeIndex node = document_.find(root, key); node != kNone)
      key_error(node, fmt::format("the runtime io has no \"{}\": its program is the model", key));
  }
  const NodeIndex node = document_.find(root, "io");
  if (node == kNone) return error(root, "the runtime io needs \"io\": its model and sockets");
  if (!is_kind(node, Kind::object, "an object with \"model\" and \"sockets\"")) return;
  check_keys(node, kIoKeys, "\"io\"");
  IoSpec spec;
  read_io_costs(node, spec);
  if (const NodeIndex work = document_.find(node, "work"); work != kNone) spec.work = read_own_duration(work);
  if (const NodeIndex meanwhile = document_.find(node, "meanwhile"); meanwhile != kNone)
    spec.meanwhile = read_own_duration(meanwhile);
  if (const NodeIndex buffer = document_.find(node, "buffer"); buffer != kNone)
    spec.buffer = static_cast<std::uint32_t>(read_whole(buffer, 1, kMostBytes, "a number of bytes"));
  if (const NodeIndex type = document_.find(node, "type");
      type != kNone && is_kind(type, Kind::text, "\"stream\" or \"datagram\"")) {
    spec.has_messages = text(type) == "datagram";
    if (!spec.has_messages && text(type) != "stream")
      error(type, fmt::format("expected \"stream\" or \"datagram\", found {}", describe(type)),
            nearest(text(type), {"stream", "datagram"}));
  }
  read_io_sockets(node, spec);
  read_io_models(node, spec);
  if (told_all_ && !has_errors(diagnostics_)) check_io(node, spec);
  scenario_.io = std::make_shared<const IoSpec>(std::move(spec));
}

// Durations here have streams of their own, not among those of steps.
Duration Reader::read_own_duration(NodeIndex node) {
  const std::uint32_t stream = next_stream_;
  Duration duration = read_duration(node);
  next_stream_ = stream;
  return duration;
}

void Reader::read_io_costs(NodeIndex io, IoSpec& spec) {
  for (std::size_t i = 0; i < kIoCosts; ++i) spec.costs[i] = nanoseconds(kLinux[i]);
  const NodeIndex node = document_.find(io, "costs");
  if (node == kNone) return;
  const auto read_preset = [&](NodeIndex preset) {
    if (!is_kind(preset, Kind::text, "\"linux\" or \"free\"")) return;
    if (text(preset) == "free") {
      spec.costs.fill(nanoseconds(0));
    } else if (text(preset) != "linux") {
      error(preset, fmt::format("expected \"linux\" or \"free\", found {}", describe(preset)),
            nearest(text(preset), {"linux", "free"}));
    }
  };
  if (kind(node) == Kind::text) return read_preset(node);
  if (!is_kind(node, Kind::object, "\"linux\", \"free\" or an object of costs")) return;
  std::vector<std::string_view> keys(io_costs().begin(), io_costs().end());
  keys.emplace_back("preset");
  check_keys(node, keys, "\"costs\"");
  if (const NodeIndex preset = document_.find(node, "preset"); preset != kNone) read_preset(preset);
  for (std::size_t i = 0; i < kIoCosts; ++i) {
    if (const NodeIndex cost = document_.find(node, io_costs()[i]); cost != kNone)
      spec.costs[i] = read_own_duration(cost);
  }
}

// ---- models ---------------------------------------------------------------------------------------------------------------------

void Reader::read_io_models(NodeIndex io, IoSpec& spec) {
  const NodeIndex node = document_.find(io, "model");
  if (node == kNone) return error(io, "\"io\" needs \"model\": " + one_of(io_models()));
  if (kind(node) != Kind::list) {
    read_io_model(node, spec);
    return;
  }
  if (document_.size(node) == 0) return expected(node, kModelHint);
  for (const NodeIndex item : children_of(node)) read_io_model(item, spec);
}

void Reader::read_io_model(NodeIndex node, IoSpec& spec) {
  std::optional<IoProcess> process;
  if (kind(node) == Kind::text) {
    process = read_io_model_word(node);
  } else if (kind(node) == Kind::object) {
    process = read_io_model_object(node);
  } else {
    expected(node, kModelHint);
  }
  if (!process) return;
  if (std::ranges::find(spec.processes, process->model, &IoProcess::model) != spec.processes.end())
    return error(node, fmt::format("\"{}\" is there already", to_string(process->model)));
  check_io_model(node, *process, spec);
  spec.processes.push_back(*process);
}

std::optional<IoProcess> Reader::read_io_model_word(NodeIndex node) {
  const std::string_view word = text(node) == "multiplex" ? "poll" : text(node);
  const auto models = io_models();
  const auto found = std::ranges::find(models, word);
  if (found != models.end()) return IoProcess{static_cast<IoModel>(found - models.begin())};
  error(node, fmt::format("{} is no model of I/O: {}", document_.json(node), one_of(models)),
        nearest(word, model_words()));
  return std::nullopt;
}

// { "multiplex": "epoll", "trigger": "edge" } and the like.
std::optional<IoProcess> Reader::read_io_model_object(NodeIndex node) {
  NodeIndex kind_member = kNone;
  std::size_t kinds = 0;
  for (const std::string_view key : kModelKinds) {
    if (const NodeIndex member = document_.find(node, key); member != kNone) {
      kind_member = member;
      ++kinds;
    }
  }
  if (kinds != 1) {
    error(node, fmt::format("expected exactly one of {}, {} and {}", fmt::join(std::span(kModelKinds).first(4), ", "),
                            kModelKinds[4], kModelKinds[5]));
    return std::nullopt;
  }
  const std::string_view key = document_.key(kind_member);
  check_keys(node, std::array<std::string_view, 4>{key, "trigger", "events", "pending"}, "a model");
  IoProcess process;
  const auto choose = [&](std::initializer_list<std::pair<std::string_view, IoModel>> choices) {
    std::vector<std::string_view> words;
    for (const auto& [word, model] : choices) {
      if (kind(kind_member) == Kind::text && text(kind_member) == word) {
        process.model = model;
        return true;
      }
      words.push_back(word);
    }
    const std::string_view written = kind(kind_member) == Kind::text ? text(kind_member) : std::string_view();
    error(kind_member, fmt::format("expected {} of \"{}\", found {}", one_of(words), key, describe(kind_member)),
          nearest(written, words));
    return false;
  };
  const auto is_true = [&](IoModel model) {
    process.model = model;
    if (kind(kind_member) == Kind::boolean && document_.boolean(kind_member)) return true;
    expected(kind_member, "true");
    return false;
  };
  const bool is_read =
      key == "blocking"      ? choose({{"rounds", IoModel::blocking}, {"clients", IoModel::blocking_clients}})
      : key == "multiplex"   ? choose({{"select", IoModel::select}, {"poll", IoModel::poll}, {"epoll", IoModel::epoll}})
      : key == "signal"      ? choose({{"handler", IoModel::signal}, {"queue", IoModel::signal_queue}})
      : key == "nonblocking" ? is_true(IoModel::nonblocking)
      : key == "async"       ? is_true(IoModel::async)
                             : is_true(IoModel::threads);
  if (!is_read) return std::nullopt;
  read_io_model_options(node, process);
  return process;
}

void Reader::read_io_model_options(NodeIndex node, IoProcess& process) {
  const bool is_epoll = process.model == IoModel::epoll;
  if (const NodeIndex events = document_.find(node, "events"); events != kNone) {
    if (!is_epoll) return key_error(events, "\"events\" goes with \"multiplex\": \"epoll\"");
    process.events = static_cast<std::uint32_t>(read_whole(events, 1, kMostEvents, "a number of events"));
  }
  if (const NodeIndex trigger = document_.find(node, "trigger"); trigger != kNone) {
    if (!is_epoll) return key_error(trigger, "\"trigger\" goes with \"multiplex\": \"epoll\"");
    if (kind(trigger) == Kind::text && text(trigger) == "edge") {
      process.model = IoModel::epoll_edge;
    } else if (kind(trigger) != Kind::text || text(trigger) != "level") {
      expected(trigger, "\"level\" or \"edge\"");
    }
  }
  if (const NodeIndex pending = document_.find(node, "pending"); pending != kNone) {
    if (process.model != IoModel::signal_queue)
      return key_error(pending, "\"pending\" goes with \"signal\": \"queue\"");
    process.pending = static_cast<std::uint32_t>(read_whole(pending, 1, kMostPending, "a number of signals"));
  }
}

void Reader::check_io_model(NodeIndex node, const IoProcess& process, const IoSpec& spec) {
  const auto is_zero = [](const Duration& duration) {
    return duration.kind == Duration::Kind::fixed && duration.a == 0;
  };
  const bool has_meanwhile = !is_zero(spec.meanwhile);
  const IoModel model = process.model;
  if (model == IoModel::select && spec.sockets > kMostForSelect) {
    error(node, fmt::format("select() cannot watch more than {} sockets: FD_SETSIZE is 1024, and 0, 1 and 2 are taken",
                            kMostForSelect));
  }
  if (has_meanwhile && (model == IoModel::blocking || model == IoModel::blocking_clients || model == IoModel::threads))
    error(node, fmt::format("a process that blocks has no time for \"meanwhile\" ({})", to_string(model)));
  if (model == IoModel::nonblocking && !has_meanwhile && is_zero(spec.costs[static_cast<std::size_t>(IoCost::call)])) {
    error(
        node,
        "a busy loop whose calls cost nothing never ends: \"costs\" needs a \"call\", or the process a \"meanwhile\"");
  }
}

// ---- sockets --------------------------------------------------------------------------------------------------------------------

void Reader::read_io_sockets(NodeIndex io, IoSpec& spec) {
  const NodeIndex node = document_.find(io, "sockets");
  if (node == kNone) return error(io, "\"io\" needs \"sockets\", a list of at least one");
  if (!is_kind(node, Kind::list, "a list of sockets")) return;
  if (document_.size(node) == 0) return error(node, "expected at least one socket");
  for (const NodeIndex item : children_of(node)) {
    if (!is_kind(item, Kind::object, "a socket, an object such as {\"arrivals\": [{\"every\": \"10ms\"}]}")) continue;
    IoGroup group = read_io_group(item);
    if (spec.sockets + std::uint64_t{group.count} > kMostSockets)
      return error(item, fmt::format("there are more than {} sockets", kMostSockets));
    spec.sockets += group.count;
    spec.groups.push_back(std::move(group));
  }
  check_io_names(node, spec);
}

IoGroup Reader::read_io_group(NodeIndex node) {
  check_keys(node, kGroupKeys, "a socket");
  IoGroup group;
  if (const NodeIndex as = document_.find(node, "as"); as != kNone && is_kind(as, Kind::text, "a name")) {
    group.name = text(as);
    if (check_length(as, group.name) && !is_identifier(group.name)) {
      error(as, fmt::format("\"{}\" is no name; a name has letters, digits, _ and $, and does not begin with a digit",
                            group.name));
    }
  }
  if (const NodeIndex count = document_.find(node, "count"); count != kNone)
    group.count = static_cast<std::uint32_t>(read_whole(count, 1, kMostSockets, "a number of sockets"));
  const NodeIndex end = document_.find(node, "end");
  if (end != kNone) group.end = read_fixed_duration(end);
  const NodeIndex arrivals = document_.find(node, "arrivals");
  if (arrivals == kNone || !is_kind(arrivals, Kind::list, "a list of arrivals")) return group;
  for (const NodeIndex item : children_of(arrivals)) {
    if (is_kind(item, Kind::object, "arrivals, an object such as {\"at\": \"20ms\", \"bytes\": 100}"))
      group.arrivals.push_back(read_io_arrivals(item));
  }
  const std::vector<IoArrivals>& entries = group.arrivals;
  const auto is_behind = [&](TimeNs time) { return time >= group.end; };
  if (std::ranges::any_of(entries,
                          [&](const IoArrivals& one) { return std::ranges::any_of(one.when.times, is_behind); })) {
    error(arrivals, "what arrives at the socket's \"end\" or later is not sent");
    if (told_all_) diagnostics_.back().severity = Diagnostic::Severity::warning;
  }
  return group;
}

IoArrivals Reader::read_io_arrivals(NodeIndex node) {
  check_keys(node, kArrivalKeys, "arrivals");
  IoArrivals arrivals;
  if (const NodeIndex bytes = document_.find(node, "bytes"); bytes != kNone)
    arrivals.bytes = static_cast<std::uint32_t>(read_whole(bytes, 1, kMostBytes, "a number of bytes"));
  const NodeIndex at = document_.find(node, "at");
  if (at != kNone && kind(at) != Kind::list) {  // one time
    arrivals.when.kind = Arrivals::Kind::list;
    arrivals.when.times = {read_fixed_duration(at)};
    for (const NodeIndex member : children_of(node)) {
      if (document_.key(member) != "at" && document_.key(member) != "bytes")
        key_error(member,
                  fmt::format("\"{}\" goes with \"every\", \"poisson\" or a list of times", document_.key(member)));
    }
    return arrivals;
  }
  if (std::ranges::none_of(kTimes, [&](auto key) { return document_.find(node, key) != kNone; })) {
    error(node, "arrivals need \"at\", the time, or \"every\" or \"poisson\", if they come again and again");
    return arrivals;
  }
  arrivals.when = read_arrivals(node, OutsideEvent::Kind::connect);
  return arrivals;
}

// Sockets of a group with a count are NAME1, NAME2 ...
void Reader::check_io_names(NodeIndex node, const IoSpec& spec) {
  std::set<std::string> known;
  std::uint32_t descriptor = kFirstSocket;
  auto group = spec.groups.begin();
  for (const NodeIndex item : children_of(node)) {
    if (group == spec.groups.end()) return;
    const NodeIndex as = document_.find(item, "as");
    for (std::uint32_t i = 1; i <= group->count; ++i, ++descriptor) {
      const std::string name = group->name.empty() ? "socket" + std::to_string(descriptor)
                               : group->count == 1 ? group->name
                                                   : group->name + std::to_string(i);
      if (known.insert(name).second) continue;
      error(as == kNone ? item : as, fmt::format("another socket is named \"{}\" already", name));
      break;
    }
    ++group;
  }
}

// ---- all of it ------------------------------------------------------------------------------------------------------------------

void Reader::check_io(NodeIndex node, const IoSpec& spec) {
  const auto ends = [](const IoGroup& group) { return group.end != kNever; };
  if (std::ranges::all_of(spec.groups, ends) || document_.find(document_.root(), "limits") != kNone) return;
  error(node, "this run ends only at the limit of time: sockets without \"end\" stay open");
  if (told_all_) diagnostics_.back().severity = Diagnostic::Severity::warning;
}

}  // namespace loopsim
