// How much a scenario may ask for (--max-steps): its own limits of steps and callbacks are cut down to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "loopsim/scenario.hpp"
#include "loopsim/trace.hpp"

namespace loopsim::cli {

inline constexpr std::uint64_t kDefaultSteps = 1'000'000'000;  // some minutes

// "50000000": a whole number from 1 on. "none" is 0, no bound. Nothing when it is none of these.
[[nodiscard]] std::optional<std::uint64_t> parse_steps(std::string_view text);

// From now on; 0: no bound.
void set_step_ceiling(std::uint64_t steps);
[[nodiscard]] std::uint64_t step_ceiling();
// The options with that in them. Whatever is read to be run is read with these.
[[nodiscard]] ReadOptions capped(ReadOptions options);

// Says so on standard error when it is the ceiling that has stopped a run, and not what the scenario asked for.
void report_step_ceiling(const RunSummary& summary, const Limits& limits, const Limits& asked);

}  // namespace loopsim::cli
