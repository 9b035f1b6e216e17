#include "tools/loopsim/diff/diff_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"

namespace loopsim::cli {
namespace {

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// Last event of this kind with this callback id before index `end`.
const Event* last_of(const StoredTrace& trace, std::size_t end, EventKind kind, std::uint64_t id) {
  for (std::size_t i = end; i > 0; --i) {
    const Event& event = trace.events[i - 1];
    if (event.kind == kind && event.id == id) return &event;
  }
  return nullptr;
}

// Innermost callback running before index `end`.
const Event* running_at(const StoredTrace& trace, std::size_t end) {
  std::size_t ended = 0;
  for (std::size_t i = end; i > 0; --i) {
    const Event& event = trace.events[i - 1];
    if (event.kind == EventKind::callback_end) ++ended;
    if (event.kind != EventKind::callback_begin) continue;
    if (ended == 0) return &event;
    --ended;
  }
  return nullptr;
}

}  // namespace

Sight look(const Side& side, const Side& other, std::size_t row) {
  Sight sight;
  sight.row = row;
  if (row >= side.rows.size()) return sight;
  const std::size_t index = side.rows[row].event;
  sight.event = &side.trace.events[index];
  sight.counterpart = counterpart(side.rows, row, other.rows);
  if (sight.event->kind == EventKind::callback_begin) {
    sight.schedule = last_of(side.trace, index, EventKind::schedule, sight.event->id);
    if (sight.event->by != 0) sight.within = last_of(side.trace, index, EventKind::callback_begin, sight.event->by);
  } else {
    sight.within = running_at(side.trace, index);
  }
  return sight;
}

std::vector<std::string> facts_of(const Finding& finding) {
  const Side& a = *finding.a;
  const Side& b = *finding.b;
  std::vector<std::string> facts;
  const auto both = [&](const std::string& what, const std::string& in_a, const std::string& in_b) {
    if (in_a != in_b) facts.push_back(fmt::format("{}: {} in {}, {} in {}", what, in_a, a.name, in_b, b.name));
  };
  const auto ms = [](TimeNs time) { return time < 0 ? std::string("none") : short_ms_text(time) + " ms"; };
  // Conditions of the runs.
  both("the runtime", a.trace.runtime, b.trace.runtime);
  both("the seed", std::to_string(a.trace.seed), std::to_string(b.trace.seed));
  both("the machine", a.trace.machine, b.trace.machine);
  both("threads of the pool", std::to_string(a.trace.threadpool), std::to_string(b.trace.threadpool));
  both("where in a millisecond it began", ms(a.trace.clock_phase), ms(b.trace.clock_phase));
  for (const auto& [name, json] : a.trace.params) {
    const auto found = std::ranges::find(b.trace.params, name, &std::pair<std::string, std::string>::first);
    if (found != b.trace.params.end()) both("the param " + name, json, found->second);
  }
  // Times of the callbacks in the differing rows.
  const auto compare = [&](const Sight& in_a, const Sight& in_b) {
    if (in_a.schedule == nullptr || in_b.schedule == nullptr) return;
    const std::string name = callback_words(a.trace, *in_a.event);
    both(name + " was asked for", ms(in_a.schedule->time), ms(in_b.schedule->time));
    both(name + " was asked for with a delay of", ms(in_a.schedule->b), ms(in_b.schedule->b));
    if (in_a.event->a == in_b.event->a) both(name + " was held up for", ms(in_a.event->b), ms(in_b.event->b));
  };
  if (finding.a_sight.event != nullptr && finding.a_sight.counterpart != kNoRow) {
    compare(finding.a_sight, look(b, a, finding.a_sight.counterpart));
  }
  if (finding.b_sight.event != nullptr && finding.b_sight.counterpart != kNoRow &&
      finding.b_sight.counterpart != finding.a_sight.row) {
    compare(look(a, b, finding.b_sight.counterpart), finding.b_sight);
  }
  return facts;
}

std::string spell_versions(const Study& study, const std::vector<std::size_t>& sides) {
  std::string text;
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end] == sides[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += study.sides[sides[i]].name;
    if (end - i == 2) text += ", " + study.sides[sides[end - 1]].name;
    if (end - i > 2) text += ".." + study.sides[sides[end - 1]].name;
    i = end;
  }
  return text;
}

std::string outcome_words(const Side& side) {
  std::size_t lines = 0;
  for (const Event& event : side.trace.events) {
    if (event.kind == EventKind::log || event.kind == EventKind::error_log) ++lines;
  }
  const RunSummary& summary = side.trace.summary;
  const std::string end = summary.limit == LimitKind::none ? fmt::format("exit code {}", summary.exit_code)
                                                           : fmt::format("limit of {}", to_string(summary.limit));
  return fmt::format("{}, {}, {} at {} ms", counted(summary.callbacks, "callback", "callbacks"),
                     counted(lines, "line of output", "lines of output"), end, ms_text(summary.end_time));
}

std::string callback_words(const StoredTrace& trace, const Event& event) {
  if (event.api == Api::main) return "main script";
  const std::string name = printable(trace.name_of(event));
  const std::string_view api = to_string(event.api);
  if (name.empty()) return fmt::format("{} callback", api);
  if (name.starts_with(fmt::format("{}@", api))) return name;
  return fmt::format("{} ({})", name, api);
}

std::string row_words(const StoredTrace& trace, const Event& event) {
  switch (event.kind) {
    case EventKind::callback_begin: return "▶ " + callback_words(trace, event);
    case EventKind::log: return "│ " + printable(trace.text_of(event));
    case EventKind::error_log: return "stderr│ " + printable(trace.text_of(event));
    case EventKind::limit: return "■ " + limit_words(event);
    case EventKind::exit: return "■ " + exit_words(event);
    default: return std::string(to_string(event.kind));
  }
}

}  // namespace loopsim::cli
