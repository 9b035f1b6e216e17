// The sentences about the races of a callback.
#pragma once

#include "loopsim/explain.hpp"
#include "loopsim/races.hpp"

#include "sim/explain/history.hpp"
#include "sim/explain/rules.hpp"

namespace loopsim {

// Adds them at their place, before the chain. Each refers to the begin of the second callback of its race.
void tell_races(const History& history, const RuleNumbers& rules, const RacesResult& races, Explanation& explanation);

}  // namespace loopsim
