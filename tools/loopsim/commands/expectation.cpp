#include "tools/loopsim/commands/expectation.hpp"

#include <algorithm>
#include <utility>

#include "loopsim/units.hpp"

namespace loopsim::cli {
namespace {

// Escapes control characters (\n, \r, \t, ESC) in a line of output, which would garble the diff.
std::string visible(const std::string& line) {
  std::string text;
  for (const char c : line) {
    switch (c) {
      case '\n': text += "\\n"; break;
      case '\r': text += "\\r"; break;
      case '\t': text += "\\t"; break;
      case '\x1b': text += "\\e"; break;
      default: text += c;
    }
  }
  return text;
}

std::vector<std::string> visible(const std::vector<std::string>& lines) {
  std::vector<std::string> texts;
  for (const std::string& line : lines) texts.push_back(visible(line));
  return texts;
}

std::string at_time(TimeNs time) { return "at " + to_text(time); }

Comparison compare_order(const std::vector<std::string>& order, const Recording& recording) {
  Comparison comparison{"order", order, {}};
  std::vector<std::string> listed = order;
  std::ranges::sort(listed);
  for (const Recording::Begun& begun : recording.callbacks) {
    if (std::ranges::binary_search(listed, begun.name)) comparison.actual.push_back(begun.name);
  }
  return comparison;
}

Comparison compare_times(const Expectation& expectation, const Recording& recording) {
  Comparison comparison{"times", {}, {}};
  for (const auto& [name, times] : expectation.times) {
    for (const TimeNs time : times) comparison.expected.push_back(name + " " + at_time(time));
    for (const Recording::Begun& begun : recording.callbacks) {
      if (begun.name == name) comparison.actual.push_back(name + " " + at_time(begun.at));
    }
  }
  return comparison;
}

Comparison compare_exit(const Expectation& expectation, const RunSummary& summary) {
  Comparison comparison{"exit", {}, {}};
  const bool exited = summary.limit == LimitKind::none;
  if (expectation.exit_code) {
    comparison.expected.push_back("code " + std::to_string(*expectation.exit_code));
    if (exited) comparison.actual.push_back("code " + std::to_string(summary.exit_code));
  }
  if (expectation.exit_at) {
    comparison.expected.push_back(at_time(*expectation.exit_at));
    if (exited) comparison.actual.push_back(at_time(summary.end_time));
  }
  return comparison;
}

Comparison compare_limit(const Expectation& expectation, const RunSummary& summary) {
  const std::string reached(to_string(summary.limit));
  return {"limit", {expectation.limit.value_or("none")}, {reached}};
}

}  // namespace

std::vector<Comparison> differences(const Expectation& expectation, const Recording& recording) {
  std::vector<Comparison> comparisons;
  if (expectation.output) comparisons.push_back({"output", visible(*expectation.output), visible(recording.output)});
  if (expectation.order) comparisons.push_back(compare_order(*expectation.order, recording));
  for (const auto& [model, calls] : expectation.calls) {
    const auto found = std::ranges::find(recording.calls, model, [](const auto& process) { return process.first; });
    comparisons.push_back(
        {"calls of " + model, calls, found == recording.calls.end() ? std::vector<std::string>() : found->second});
  }
  comparisons.push_back(compare_times(expectation, recording));
  comparisons.push_back(compare_exit(expectation, recording.summary));
  comparisons.push_back(compare_limit(expectation, recording.summary));
  std::erase_if(comparisons, [](const Comparison& comparison) { return comparison.expected == comparison.actual; });
  return comparisons;
}

}  // namespace loopsim::cli
