// The table of known differences, and the tests for steps that they affect. To remove a repaired entry, delete its row,
// its function if no other row uses it, and tools/conformance/differences/ID.json.
#include "loopsim/known_differences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "loopsim/profile.hpp"
#include "loopsim/units.hpp"

#include "sim/scenario/document.hpp"
#include "sim/scenario/walk.hpp"

namespace loopsim {
namespace {

// The delay in milliseconds, when it is constant.
std::optional<double> constant_delay(const Step& step) {
  const auto* delay = std::get_if<Value>(&step.argument);
  if (delay == nullptr) return std::nullopt;
  const Value& value = *delay;
  if (value.kind == Value::Kind::number) return value.number;
  if (value.kind != Value::Kind::text || value.parts.size() != 1 || value.parts[0].kind != TextPart::Kind::text)
    return std::nullopt;
  const std::string_view text = value.parts[0].text();
  const ParsedDouble number = parse_double(text);
  if (number.length != text.size() || !number.fits) return std::nullopt;
  return number.value;
}

constexpr std::array kTimers = {Verb::set_timeout, Verb::set_interval};
constexpr std::array kNameLookups = {Verb::dns};

bool is_timer(const Step& step) { return std::ranges::find(kTimers, step.verb) != kTimers.end(); }

// ---- tests for affected steps ---------------------------------------------------------------------------------------

bool is_fraction(double ms) { return ms > 1 && ms < 2147483647 && std::trunc(ms) != ms; }
bool is_fraction(TimeNs time) { return time > kMillisecond && time % kMillisecond != 0; }

bool has_fractional_delay(const Step& step) {
  if (!is_timer(step)) return false;
  if (const std::optional<double> ms = constant_delay(step)) return is_fraction(*ms);
  const auto* drawn = std::get_if<const Duration*>(&step.argument);
  if (drawn == nullptr) return false;
  if ((*drawn)->values.empty()) return true;  // a distribution: it draws nanoseconds
  return std::ranges::any_of((*drawn)->values, [](TimeNs value) { return is_fraction(value); });
}

bool asks_the_network_for_names(const Step& step) {
  const auto* operation = std::get_if<std::string_view>(&step.argument);
  return step.verb == Verb::dns && operation != nullptr && *operation == "resolve";
}

// ---- the table ------------------------------------------------------------------------------------------------------------------

using Shows = bool (*)(const Step&);

struct Row {
  KnownDifference difference;
  Shows shows = nullptr;             // null: not visible in a scenario's text
  std::span<const Verb> verbs = {};  // of the steps that may show it
};

constexpr KnownDifference difference(std::string_view id, KnownDifference::Kind kind, int first, int last,
                                     std::string_view what) {
  return {.id = id, .kind = kind, .first_major = first, .last_major = last, .what = what, .warns = false};
}

using Kind = KnownDifference::Kind;

constexpr std::array kRows = {
    Row{difference("fractional-delays", Kind::chance, 4, 10,
                   "a delay with a fraction is waited for busily, and which reading of the clock sees the next "
                   "millisecond is a matter of chance: a real run can be 1 ms later, with an interval at every round"),
        has_fractional_delay, kTimers},
    Row{difference("dns-resolve", Kind::unproven, 0, 0,
                   "a question by dns.resolve goes to servers on the network, over sockets of its own: in the "
                   "comparison work on the "
                   "pool stands for it, so only its time and its one callback are compared"),
        asks_the_network_for_names, kNameLookups},
    Row{difference("machine", Kind::unproven, 0, 0,
                   "machines on which something costs time, and arrival processes: no real process can be held up at a "
                   "given nanosecond, so they follow from the model; the project's tests check it against theory"),
        nullptr},
    Row{difference("cost-of-node", Kind::unproven, 0, 0,
                   "the time that Node's own code takes is 0: a real process without the virtual clock needs some tens "
                   "of microseconds for this and that"),
        nullptr},
    Row{difference("limits", Kind::unproven, 0, 0,
                   "runs that end at a limit: a real process would go on for ever, or until its memory is used up"),
        nullptr},
    Row{difference("standard-error", Kind::unproven, 0, 0,
                   "texts on standard error (warnings, stack traces) are not made and not compared"),
        nullptr},
    Row{difference(
            "other-releases", Kind::unproven, 0, 0,
            "each profile is one binary on Linux x86-64: other releases of the same line, and other systems, may "
            "differ"),
        nullptr},
    Row{difference(
            "text-of-a-timer", Kind::chance, 12, 26,
            "the text of a timer is a number that nothing predicts, and so is the timer as a delay, a count or an "
            "exit code; here it is [object Object], as in older versions"),
        nullptr},
    Row{difference(
            "inspected-objects", Kind::different, 10, 26,
            "the error of emit('error', value) without a listener shows its value by util.inspect: of a promise, "
            "a timer or another object the simulator shows the text instead, and a long text of several lines "
            "in one"),
        nullptr},
    Row{difference(
            "kill-of-a-failed-child", Kind::chance, 18, 24,
            "kill() of a child process that could not be started sends the signal to whatever number libuv finds in "
            "uninitialised memory: mostly no process has it, and the call returns false as here, but it can be 0, the "
            "process's own group; the comparisons let signals go to the process and its children only"),
        nullptr},
    Row{difference("garbage-collection", Kind::different, 8, 26,
                   "V8's work on its heap wakes the poll, and the simulator does not model memory: the end of a "
                   "pool operation is then reported before an earlier event of a socket, and an unref'd immediate runs "
                   "at once; in Node 8 every collection does it, from Node 14 on a young generation that is nearly "
                   "full, from Node 16 on also a heap that has grown (some hundred kilobytes of new objects can be "
                   "enough), in Node 10 to 12 a heap of many tens of megabytes; from Node 16 on the comparisons switch "
                   "it off (--no-memory-reducer; --no-scavenge-task, from Node 20 on --no-minor-gc-task)"),
        nullptr},
    Row{difference("after-the-end", Kind::unproven, 0, 0,
                   "what happens outside after JavaScript has come to its end: a real process may still wait for busy "
                   "threads of the pool then, and a signal that arrives meanwhile can end it with another exit code"),
        nullptr},
    Row{difference("network", Kind::outside, 0, 0,
                   "servers at the path of a Unix socket, other hosts, time-outs, buffers of the kernel that are full, "
                   "chunks of more than 64 KiB, more than 511 connections that wait"),
        nullptr},
    Row{difference("processes", Kind::outside, 0, 0,
                   "input and output of child processes; SIGUSR1, which Node keeps for its debugger, and SIGCHLD"),
        nullptr},
    Row{difference("sizes-of-data", Kind::outside, 0, 0,
                   "requests have a length in time, not a size: what depends on the sizes of files and of the kernel's "
                   "buffers cannot be said (a readFile of more than 512 KiB is several reads)"),
        nullptr},
    Row{difference("worker-threads", Kind::outside, 0, 0,
                   "worker threads: each has a loop of its own, and the virtual clock knows one"),
        nullptr},
};

constexpr std::array<KnownDifference, kRows.size()> told_of(const std::array<Row, kRows.size()>& rows) {
  std::array<KnownDifference, kRows.size()> all{};
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    all[i] = rows[i].difference;
    all[i].warns = rows[i].shows != nullptr;
  }
  return all;
}

constexpr std::array<KnownDifference, kRows.size()> kDifferences = told_of(kRows);

bool concerns(const KnownDifference& difference, int major) {
  return difference.first_major == 0 || (difference.first_major <= major && major <= difference.last_major);
}

std::string message_of(const KnownDifference& difference) {
  std::string versions;
  if (difference.first_major != 0) {
    versions = difference.first_major == difference.last_major
                   ? fmt::format("in Node {}, ", difference.first_major)
                   : fmt::format("in Node {} to {}, ", difference.first_major, difference.last_major);
  }
  return fmt::format("{}{} (docs/fidelity.md#{})", versions, difference.what, difference.id);
}

}  // namespace

std::span<const KnownDifference> known_differences() { return kDifferences; }

std::string_view to_string(KnownDifference::Kind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"different", "chance", "unproven", "outside"};
  return kNames[static_cast<std::size_t>(kind)];
}

Diagnostics warnings_of(const Scenario& scenario) {
  constexpr std::size_t kMostWarnings = 100;
  Diagnostics warnings;
  const Profile* profile = find_profile(scenario.runtime.profile);
  if (profile == nullptr || scenario.document == nullptr) return warnings;
  std::vector<std::size_t> rows;
  const auto is_used = [&](Verb verb) { return scenario.verbs[static_cast<std::size_t>(verb)]; };
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (concerns(kRows[i].difference, profile->major) && std::ranges::any_of(kRows[i].verbs, is_used))
      rows.push_back(i);
  }
  if (rows.empty()) return warnings;
  std::vector<std::pair<NodeIndex, std::size_t>> found;  // place, row
  Walk(scenario, [&](const Step& step) {
    for (const std::size_t row : rows) {
      if (kRows[row].shows(step)) found.emplace_back(step.node, row);
    }
  });
  // Nodes are numbered in the order of the document. A function is one body, however often it is used.
  std::ranges::sort(found);
  if (found.size() > kMostWarnings) found.resize(kMostWarnings);
  if (found.empty()) return warnings;
  const std::shared_ptr<const Document> document = Document::with_values(scenario.document);
  for (const auto& [node, row] : found) {
    Diagnostic warning = document->diagnose(node, message_of(kDifferences[row]));
    warning.severity = Diagnostic::Severity::warning;
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

}  // namespace loopsim
