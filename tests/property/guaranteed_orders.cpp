// An order that is guaranteed on an ideal machine holds on every other machine.

#include <map>

#include <catch2/catch.hpp>

#include "loopsim/orders.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/simulator.hpp"

#include "tests/support/files.hpp"
#include "tests/support/scenario_files.hpp"

namespace loopsim {
namespace {

constexpr std::uint64_t kRuns = 60;

std::optional<OrdersResult> orders_on(const std::string& text, const std::string& runtime, const std::string& machine) {
  ReadOptions options;
  options.runtime = runtime;
  if (!machine.empty()) options.overrides.emplace_back("/machine", machine);
  const ReadResult read = read_scenario(text, "test.json", options);
  if (!read.scenario) return std::nullopt;  // the version lacks a feature that the scenario uses
  const CompileResult compiled = compile(*read.scenario);
  if (!compiled.program) return std::nullopt;
  OrdersOptions orders;
  orders.runs = kRuns;
  return study_orders(*read.scenario, *compiled.program, orders);
}

std::string name_of(const CallbackRound& round) { return round.name + "#" + std::to_string(round.round); }

}  // namespace

TEST_CASE("an order that is guaranteed on an ideal machine is no race on a busy one", "[orders][property]") {
  std::size_t compared = 0;
  std::size_t held = 0;
  for (const std::filesystem::path& path : testing::scenario_files()) {
    const std::string text = testing::read_file(path);
    for (const char* const runtime : {"node-4", "node-8", "node-10", "node-11", "node-18", "node-24"}) {
      const auto ideal = orders_on(text, runtime, "ideal");
      if (!ideal) continue;
      std::map<std::pair<std::string, std::string>, std::string> guaranteed;
      for (const PairOrder& pair : ideal->pairs) {
        if (pair.verdict == PairVerdict::guaranteed)
          guaranteed[{name_of(pair.first), name_of(pair.second)}] = pair.reason;
      }
      for (const char* const machine :
           {"busy", R"({"startup": {"uniform": ["0ms", "30ms"]}, "wakeup": {"exponential": "2ms"},
                        "overhead": {"callback": {"exponential": "1ms"}, "task": {"exponential": "1ms"}, "turn": {"exponential": "1ms"}},
                        "clock": {"uniform": ["0ms", "1ms"]}, "cores": 1,
                        "load": {"busy": {"exponential": "20ms"}, "idle": {"exponential": "10ms"}}})"}) {
        const auto other = orders_on(text, runtime, machine);
        REQUIRE(other);
        for (const PairOrder& pair : other->pairs) {
          if (pair.both == 0) continue;
          ++compared;
          const auto forward = guaranteed.find({name_of(pair.first), name_of(pair.second)});
          const auto backward = guaranteed.find({name_of(pair.second), name_of(pair.first)});
          INFO(path << " " << runtime << " " << machine << ": " << name_of(pair.first) << " " << name_of(pair.second));
          if (forward != guaranteed.end()) {
            ++held;
            INFO(forward->second);
            CHECK(pair.verdict != PairVerdict::race);
          }
          if (backward != guaranteed.end()) FAIL_CHECK("turned round: " << backward->second);
        }
      }
    }
  }
  CHECK(compared == 12636);  // changes with the set of scenarios
  CHECK(held == 2952);
}

}  // namespace loopsim
