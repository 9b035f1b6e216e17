#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"
#include "loopsim/units.hpp"

#include "sim/scenario/reader.hpp"

namespace loopsim {
namespace {

constexpr std::array<std::string_view, 4> kRuntimeKeys = {"profile", "threadpool", "entry", "monitorEventLoopDelay"};
constexpr std::array<std::string_view, 5> kLimitKeys = {"time", "callbacks", "steps", "queue", "depth"};
constexpr int kFirstWithDelayMonitor = 11;  // 11.10

std::vector<std::string_view> profile_names() {
  std::vector<std::string_view> names;
  for (const Family family : {Family::node, Family::browser})
    for (const Profile& profile : runtimes_of(family)) names.push_back(profile.name);
  return names;
}

}  // namespace

// "node-27" and "v27" mean the version nearest to 27.
std::string nearest_profile(std::string_view word) {
  if (word.starts_with("libuv")) return std::string(libuv_runtimes().back().name);
  for (const std::string_view browser : {"chrome", "firefox"})
    if (word.starts_with(browser)) return std::string(browser);
  const std::size_t digits = word.find_first_of("0123456789");
  if (digits == std::string_view::npos) return nearest(word, profile_names());
  int major = 0;
  std::from_chars(word.data() + digits, word.data() + word.size(), major);
  const Profile* best = &default_profile();
  for (const Profile& profile : profiles()) {
    if (std::abs(profile.major - major) < std::abs(best->major - major)) best = &profile;
  }
  return std::string(best->name);
}

// ---- params -------------------------------------------------------------------------------------------------------------------

void Reader::read_params(NodeIndex root) {
  const NodeIndex params = document_.find(root, "params");
  if (params == kNone || !is_kind(params, Kind::object, "an object of names and values")) return;
  for (const NodeIndex member : children_of(params)) {
    const std::string_view name = document_.key(member);
    if (!is_identifier(name)) {
      key_error(
          member,
          fmt::format("\"{}\" is no name; a name has letters, digits, _ and $, and does not begin with a digit", name));
    }
    if (kind(member) == Kind::list) {
      expected(member, "a param's value: a number, a text, true, false, null, a duration or a distribution");
    } else if (kind(member) == Kind::object) {
      read_duration(member);  // reports its errors, used or not
    } else if (kind(member) == Kind::text && text(member).starts_with('$') && !text(member).starts_with("$$")) {
      error(member, "a param cannot refer to a param");
    }
    scenario_.params.emplace_back(std::string(name), document_.json(member));
  }
  next_stream_ = 0;
}

// Replaces every "$name" outside `params` by the param's value, and "$$x" by the text "$x".
void Reader::substitute_params() {
  const NodeIndex params = document_.find(document_.root(), "params");
  const bool has_params = params != kNone && kind(params) == Kind::object;
  struct Param {
    NodeIndex node;
    bool is_used;
  };
  std::map<std::string_view, Param> known_params;
  if (has_params) {
    for (const NodeIndex member : children_of(params))
      known_params.emplace(document_.key(member), Param{member, false});
  }
  const auto is_inside_params = [&](NodeIndex node) {
    while (node != kNone && document_.parent(node) != document_.root()) node = document_.parent(node);
    return node == params && params != kNone;
  };
  const NodeIndex end = document_.may_contain('$') ? static_cast<NodeIndex>(document_.node_count()) : 0;
  for (NodeIndex node = 0; node < end; ++node) {
    const std::string_view written = text(node);
    if (kind(node) != Kind::text || !written.starts_with('$') || document_.key(node) == "$schema") continue;
    if (written.starts_with("$$")) {
      document_.drop_first_byte(node);
      continue;
    }
    const std::string_view name = written.substr(1);
    if (!is_identifier(name) || is_inside_params(node)) continue;
    if (const auto param = known_params.find(name); param != known_params.end()) {
      document_.copy_content(node, param->second.node);
      param->second.is_used = true;
      continue;
    }
    std::vector<std::string_view> known;
    for (const auto& [known_name, value] : scenario_.params) known.push_back(known_name);
    std::string suggestion = nearest(name, known);
    if (!suggestion.empty()) suggestion.insert(0, 1, '$');
    error(node, fmt::format("there is no param \"{}\"; \"$$\" stands for a \"$\" at the beginning of a text", name),
          std::move(suggestion));
    document_.invalidate(node);
    if (!told_all_) return;
  }
  if (!has_params) return;
  for (const NodeIndex member : children_of(params)) {
    if (known_params.find(document_.key(member))->second.is_used) continue;
    if (diagnostics_.size() >= kMostErrors) break;
    key_error(member,
              fmt::format("nothing uses the param \"{}\" (as \"${}\")", document_.key(member), document_.key(member)));
    diagnostics_.back().severity = Diagnostic::Severity::warning;
  }
}

// ---- runtime ------------------------------------------------------------------------------------------------------------------

void Reader::read_runtime(NodeIndex node) {
  RuntimeChoice& runtime = scenario_.runtime;
  runtime.profile = default_profile().name;
  profile_ = &default_profile();
  NodeIndex entry = kNone;
  NodeIndex monitor = kNone;
  if (node != kNone) {
    runtime.node = node;
    if (kind(node) == Kind::text) {
      read_profile(node);
    } else if (is_kind(node, Kind::object, "a version of Node such as \"node-24\", or an object")) {
      check_keys(node, kRuntimeKeys, "a runtime");
      if (const NodeIndex profile = document_.find(node, "profile"); profile != kNone) {
        if (is_kind(profile, Kind::text, "a version of Node such as \"node-24\"")) read_profile(profile);
      }
      if (const NodeIndex threads = document_.find(node, "threadpool"); threads != kNone) {
        runtime.threadpool = static_cast<std::uint32_t>(read_whole(threads, 1, 1024, "a number of threads"));
      }
      monitor = document_.find(node, "monitorEventLoopDelay");
      if (monitor != kNone)
        runtime.delay_resolution = read_whole(monitor, 1, 1'000'000, "a resolution in milliseconds");
      entry = document_.find(node, "entry");
      if (entry != kNone && is_kind(entry, Kind::text, "\"commonjs\" or \"module\"")) {
        if (text(entry) == "module") {
          runtime.entry = EntryPoint::module;
        } else if (text(entry) != "commonjs") {
          error(entry, fmt::format("expected \"commonjs\" or \"module\", found {}", describe(entry)),
                nearest(text(entry), {"commonjs", "module"}));
        }
      }
    }
  }
  if (!options_.runtime.empty()) {
    if (const Profile* profile = find_profile(options_.runtime)) {
      profile_ = profile;
      runtime.profile = profile->name;
    } else {
      const std::string suggestion = nearest_profile(options_.runtime);
      std::string message = fmt::format("--runtime: there is no runtime \"{}\"", options_.runtime);
      if (suggestion.empty()) message += fmt::format("; there are {}", fmt::join(profile_names(), ", "));
      command_line_error(std::move(message), suggestion);
    }
  }
  if (profile_->family == Family::io) {
    if (monitor != kNone) key_error(monitor, "the runtime io has no monitorEventLoopDelay()");
    if (entry != kNone) key_error(entry, "the runtime io has no \"entry\": its program is the model");
    return;
  }
  if (profile_->family == Family::libuv) {
    if (monitor != kNone) key_error(monitor, "a program for libuv alone has no monitorEventLoopDelay()");
    if (entry != kNone) key_error(entry, "a program for libuv alone has no \"entry\": it begins with main()");
    return;
  }
  if (monitor != kNone) check_since(monitor, "monitorEventLoopDelay()", kFirstWithDelayMonitor);
  if (runtime.entry == EntryPoint::module) check_since(entry, kMainModule, kFirstWithModules);
}

void Reader::read_profile(NodeIndex node) {
  if (const Profile* profile = find_profile(text(node))) {
    profile_ = profile;
    scenario_.runtime.profile = profile->name;
    return;
  }
  std::string suggestion = nearest_profile(text(node));
  error(node,
        fmt::format("there is no runtime {}; there are {}", document_.json(node), fmt::join(profile_names(), ", ")),
        std::move(suggestion));
}

// ---- limits, seed ---------------------------------------------------------------------------------------------------------------

void Reader::read_limits(NodeIndex node) {
  constexpr std::int64_t kMost = 1'000'000'000'000'000;
  constexpr std::int64_t kMostDepth = 1'000'000;
  if (!is_kind(node, Kind::object, "an object of limits (time, callbacks, steps, queue, depth)")) return;
  check_keys(node, kLimitKeys, "limits");
  Limits& limits = scenario_.limits;
  if (const NodeIndex time = document_.find(node, "time"); time != kNone) {
    const std::size_t before = diagnostics_.size();
    limits.time = read_fixed_duration(time);
    if (limits.time == 0 && kind(time) != Kind::invalid && diagnostics_.size() == before)
      error(time, "the limit of time must be longer than 0");
  }
  const auto read_count_limit = [&](std::string_view key, std::uint64_t& limit) {
    const NodeIndex count = document_.find(node, key);
    if (count != kNone) limit = static_cast<std::uint64_t>(read_whole(count, 1, kMost, "a limit"));
  };
  read_count_limit("callbacks", limits.callbacks);
  read_count_limit("steps", limits.steps);
  read_count_limit("queue", limits.queue);
  if (const NodeIndex depth = document_.find(node, "depth"); depth != kNone) {
    limits.depth = static_cast<std::uint32_t>(read_whole(depth, 1, kMostDepth, "a limit"));
  }
}

void Reader::cap_limits() {
  Limits& limits = scenario_.limits;
  scenario_.asked_limits = limits;
  if (options_.most_steps == 0) return;
  limits.steps = std::min(limits.steps, options_.most_steps);
  limits.callbacks = std::min(limits.callbacks, options_.most_steps);
}

void Reader::read_seed(NodeIndex node) {
  if (node != kNone) {
    const bool is_written = kind(node) == Kind::number || kind(node) == Kind::text;
    const std::optional<std::uint64_t> seed = is_written ? parse_unsigned(text(node)) : std::nullopt;
    if (seed) {
      scenario_.seed = *seed;
    } else {
      expected(node, "a seed, a whole number from 0 to 18446744073709551615");
    }
  }
  if (options_.seed) scenario_.seed = *options_.seed;
}

}  // namespace loopsim
