// Upper bound on a scenario's own limits of steps and callbacks (--max-steps).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "loopsim/scenario.hpp"
#include "loopsim/trace.hpp"

namespace loopsim::cli {

inline constexpr std::uint64_t kDefaultSteps = 1'000'000'000;  // a run of some minutes

// "50000000": a whole number, at least 1. "none" is 0, no bound. Nothing when malformed.
[[nodiscard]] std::optional<std::uint64_t> parse_steps(std::string_view text);

// Applies to scenarios read later; 0: no bound.
void set_step_ceiling(std::uint64_t steps, bool given);
// Whether --max-steps says it: then a program that no document is around may take as many steps.
[[nodiscard]] bool step_ceiling_is_given();
[[nodiscard]] std::uint64_t step_ceiling();
// The options with the ceiling as most_steps, unless they set one. Every scenario to be run is read with these.
[[nodiscard]] ReadOptions capped(ReadOptions options);

// Reports an error when the ceiling stopped the run, not the scenario's own limits (`asked`), and where a program in
// JavaScript was when a limit of steps stopped it.
void report_step_ceiling(const RunSummary& summary, const Limits& limits, const Limits& asked);

}  // namespace loopsim::cli
