#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "loopsim/io.hpp"
#include "loopsim/suggest.hpp"

#include "sim/scenario/reader.hpp"

namespace loopsim {
namespace {

constexpr std::array<std::string_view, 7> kExpectKeys = {"output", "exit", "order", "times", "limit", "cases", "calls"};
constexpr std::array<std::string_view, 8> kCaseKeys = {"runtime", "set",   "output", "exit",
                                                       "order",   "times", "limit",  "calls"};
constexpr std::array<std::string_view, 3> kOfCallbacks = {"output", "order", "times"};
constexpr std::array<std::string_view, 2> kExitKeys = {"code", "at"};
constexpr std::array<std::string_view, 5> kLimits = {"time", "callbacks", "steps", "queue", "depth"};

}  // namespace

void Reader::read_expect(NodeIndex node) {
  if (!is_kind(node, Kind::object, "an object of expectations (output, exit, order, times, limit, cases)")) return;
  check_keys(node, kExpectKeys, "expect");
  const NodeIndex cases = document_.find(node, "cases");
  const bool has_own = document_.size(node) > (cases == kNone ? 0U : 1U);
  if (has_own) scenario_.expectation = read_expectation(node);
  if (cases == kNone || !is_kind(cases, Kind::list, "a list of cases")) return;
  for (const NodeIndex item : children_of(cases)) read_case(item);
}

Expectation Reader::read_expectation(NodeIndex node) {
  Expectation expectation;
  expectation.node = node;
  if (const NodeIndex calls = document_.find(node, "calls"); calls != kNone) read_calls(calls, expectation);
  if (profile_->family == Family::io) {
    for (const std::string_view key : kOfCallbacks) {
      if (const NodeIndex member = document_.find(node, key); member != kNone)
        key_error(member, fmt::format("the runtime io has no \"{}\": expect \"calls\"", key), "calls");
    }
    if (has_errors(diagnostics_)) return expectation;
  }
  if (const NodeIndex output = document_.find(node, "output"); output != kNone) {
    if (is_kind(output, Kind::list, "a list of lines")) expectation.output = read_lines(output, "a line, a text");
  }
  if (const NodeIndex exit = document_.find(node, "exit"); exit != kNone) read_exit(exit, expectation);
  if (const NodeIndex order = document_.find(node, "order"); order != kNone) {
    if (is_kind(order, Kind::list, "a list of callbacks' names")) {
      expectation.order = read_lines(order, "a callback's name");
      for (const NodeIndex item : children_of(order)) {
        if (kind(item) == Kind::text) check_label(item, text(item), false);
      }
    }
  }
  if (const NodeIndex times = document_.find(node, "times"); times != kNone) read_times(times, expectation);
  if (const NodeIndex limit = document_.find(node, "limit");
      limit != kNone && is_kind(limit, Kind::text, "a limit's name")) {
    expectation.limit = text(limit);
    if (std::find(kLimits.begin(), kLimits.end(), text(limit)) == kLimits.end()) {
      error(limit, fmt::format("there is no limit {}; there are {}", document_.json(limit), fmt::join(kLimits, ", ")),
            nearest(text(limit), {kLimits.begin(), kLimits.end()}));
    }
  }
  return expectation;
}

// Lines as `run -f calls` writes them; of several processes an object by their models.
void Reader::read_calls(NodeIndex node, Expectation& expectation) {
  if (profile_->family != Family::io) return key_error(node, "\"calls\" goes with the runtime \"io\"");
  if (scenario_.io == nullptr || scenario_.io->processes.empty()) return;  // reported
  std::vector<std::string_view> models;
  for (const IoProcess& process : scenario_.io->processes) models.push_back(to_string(process.model));
  if (kind(node) == Kind::list) {
    if (models.size() > 1) return error(node, "of several models, \"calls\" is an object of lists by model");
    expectation.calls.emplace_back(models.front(), read_lines(node, "a call"));
    return;
  }
  if (!is_kind(node, Kind::object, "a list of calls, such as \"read(3) = 100\", or an object of them by model")) return;
  for (const NodeIndex member : children_of(node)) {
    if (std::ranges::find(io_models(), key(member)) == io_models().end()) {
      key_error(member, fmt::format("\"{}\" is no model of I/O", key(member)), nearest(key(member), models));
    } else if (is_kind(member, Kind::list, "a list of calls")) {
      // Of a model that is not there, as with --set, nothing is expected.
      if (std::ranges::find(models, key(member)) != models.end())
        expectation.calls.emplace_back(std::string(key(member)), read_lines(member, "a call"));
    }
  }
}

void Reader::read_exit(NodeIndex node, Expectation& expectation) {
  if (!is_kind(node, Kind::object, "an object with \"code\", \"at\" or both")) return;
  check_keys(node, kExitKeys, "exit");
  if (const NodeIndex code = document_.find(node, "code"); code != kNone) {
    expectation.exit_code = read_whole(code, 0, 255, "an exit code");
  }
  if (const NodeIndex at = document_.find(node, "at"); at != kNone) expectation.exit_at = read_fixed_duration(at);
}

void Reader::read_times(NodeIndex node, Expectation& expectation) {
  if (!is_kind(node, Kind::object, "an object of callbacks and times, such as {\"timer\": \"105ms\"}")) return;
  for (const NodeIndex member : children_of(node)) {
    check_label(member, document_.key(member), true);
    std::vector<TimeNs> times;
    if (kind(member) == Kind::list) {
      for (const NodeIndex item : children_of(member)) times.push_back(read_fixed_duration(item));
    } else {
      times.push_back(read_fixed_duration(member));
    }
    expectation.times.emplace_back(std::string(document_.key(member)), std::move(times));
  }
}

// A list of texts; a single text counts as one.
std::vector<std::string> Reader::read_lines(NodeIndex node, std::string_view what) {
  std::vector<std::string> lines;
  if (kind(node) != Kind::list) {
    if (is_kind(node, Kind::text, what)) lines.emplace_back(text(node));
    return lines;
  }
  for (const NodeIndex item : children_of(node)) {
    if (is_kind(item, Kind::text, "a text")) lines.emplace_back(text(item));
  }
  return lines;
}

void Reader::check_label(NodeIndex node, std::string_view label, bool is_key) {
  if (std::ranges::binary_search(labels_, label)) return;
  // "then@20", where several steps of the line have such a callback.
  const std::string with_column = std::string(label) + ":";
  const auto first = std::ranges::lower_bound(labels_, std::string_view(with_column));
  const auto end =
      std::find_if(first, labels_.end(), [&](std::string_view one) { return !one.starts_with(with_column); });
  std::vector<std::string_view> in_line(first, end);
  std::ranges::stable_sort(in_line, {}, &std::string_view::size);  // by column
  std::string message = in_line.empty()
                            ? fmt::format("no callback is named \"{}\"; a step's \"as\" names its callback", label)
                            : fmt::format(
                                  "\"{}\" may be any of {}: they begin in one line, and have the column "
                                  "in their names",
                                  label, fmt::join(in_line, ", "));
  std::string suggestion = in_line.empty() ? nearest(label, labels_) : std::string(in_line.front());
  if (is_key) {
    key_error(node, std::move(message), std::move(suggestion));
  } else {
    error(node, std::move(message), std::move(suggestion));
  }
}

// ---- cases --------------------------------------------------------------------------------------------------------------------

void Reader::read_case(NodeIndex node) {
  if (!is_kind(node, Kind::object, "a case, an object with \"runtime\" or \"set\" and what to expect")) return;
  check_keys(node, kCaseKeys, "a case");
  ExpectationCase expectation;
  if (const NodeIndex runtime = document_.find(node, "runtime"); runtime != kNone)
    read_case_runtimes(runtime, expectation);
  if (const NodeIndex set = document_.find(node, "set");
      set != kNone && is_kind(set, Kind::object, "an object of params and values")) {
    std::vector<std::string_view> known;
    for (const auto& [name, value] : scenario_.params) known.push_back(name);
    for (const NodeIndex member : children_of(set)) {
      const std::string_view name = document_.key(member);
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        key_error(member, fmt::format("there is no param \"{}\"", name), nearest(name, known));
      }
      expectation.overrides.emplace_back(std::string(name), document_.json(member));
    }
  }
  expectation.expectation = read_expectation(node);
  scenario_.cases.push_back(std::move(expectation));
}

// "node-24", "node-11..node-26", "all", or a list of those.
void Reader::read_case_runtimes(NodeIndex node, ExpectationCase& expectation) {
  if (kind(node) == Kind::list) {
    for (const NodeIndex item : children_of(node)) {
      if (is_kind(item, Kind::text, "a runtime such as \"node-24\" or \"node-11..node-26\""))
        read_case_runtimes(item, expectation);
    }
    return;
  }
  if (!is_kind(node, Kind::text,
               "a runtime such as \"node-24\", a range \"node-11..node-26\", a list of those, or \"all\""))
    return;
  const auto add = [&](std::string_view name) {
    auto& known = expectation.runtimes;
    if (std::find(known.begin(), known.end(), name) == known.end()) known.emplace_back(name);
  };
  const auto find = [&](std::string_view name) {
    const Profile* profile = find_profile(name);
    if (profile == nullptr) {
      std::vector<std::string_view> names;
      for (const Profile& known : runtimes_of(profile_->family)) names.push_back(known.name);
      error(node, fmt::format("there is no runtime \"{}\"; there are {}", name, fmt::join(names, ", ")),
            nearest_profile(name));
    }
    return profile;
  };
  const std::string_view written = text(node);
  if (written == "all") {
    for (const Profile& profile : runtimes_of(profile_->family)) add(profile.name);
    return;
  }
  const std::size_t dots = written.find("..");
  if (dots == std::string_view::npos) {
    if (const Profile* profile = find(written)) add(profile->name);
    return;
  }
  const Profile* first = find(written.substr(0, dots));
  const Profile* last = find(written.substr(dots + 2));
  if (first == nullptr || last == nullptr) return;
  if (first->major > last->major) {
    error(node, fmt::format("the range {} is empty: the older version stands first", document_.json(node)));
    return;
  }
  for (const Profile& profile : runtimes_of(first->family)) {
    if (profile.major >= first->major && profile.major <= last->major) add(profile.name);
  }
}

}  // namespace loopsim
