#include "tools/loopsim/commands/expected_race.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "loopsim/races.hpp"
#include "loopsim/writers.hpp"

#include "tools/loopsim/commands/expectation.hpp"
#include "tools/loopsim/line/memory_budget.hpp"

namespace loopsim::cli {
namespace {

constexpr std::size_t kMostRaces = 8;  // a run for each

std::vector<std::string> without_digits(std::vector<std::string> lines) {
  for (std::string& line : lines) std::erase_if(line, [](char c) { return c >= '0' && c <= '9'; });
  return lines;
}

bool differs_in_order(const Expectation& expectation, const Recording& recording) {
  return std::ranges::any_of(differences(expectation, recording), [](const Comparison& one) {
    if (one.what == "order") return true;
    return one.what == "output" && without_digits(one.expected) != without_digits(one.actual);
  });
}

// The first race with which the expectation would not be met.
std::optional<Race> find_behind(const Expectation& expectation, const Scenario& scenario, const Program& program) {
  RacesResult found = find_races(scenario, program);
  if (found.is_beginning) return std::nullopt;
  if (found.races.size() > kMostRaces) found.races.resize(kMostRaces);
  for (Race& race : found.races) {
    const std::unique_ptr<Recorder> recorder = make_recorder();
    const std::array<TraceSink*, 1> sinks = {recorder.get()};
    run_turned(scenario, program, race, sinks);
    if (differs_in_order(expectation, recorder->recording())) return race;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> race_behind(const Expectation& expectation, const Scenario& scenario,
                                      const Program& program) {
  if (!expectation.output && !expectation.order) return std::nullopt;
  // Without memory: none; the expectation itself has been verified.
  const std::optional<Race> race = or_without_memory([&] { return find_behind(expectation, scenario, program); },
                                                     [] { return std::optional<Race>(); });
  if (!race) return std::nullopt;
  const Scenario::Place place = scenario.place(expectation.node);
  return Diagnostic{.severity = Diagnostic::Severity::warning,
                    .file = scenario.file,
                    .line = place.line,
                    .column = place.column,
                    .pointer = place.pointer,
                    .message = fmt::format("this hangs on a race: {} (loopsim orders tells more; with \"machine\": "
                                           "\"ideal\" it is meant so)",
                                           race_share(*race)),
                    .suggestion = {},
                    .source_line = {}};
}

}  // namespace loopsim::cli
