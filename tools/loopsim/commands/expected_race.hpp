// Finds expectations that hold on this machine and not on a real one, whose callbacks come in another order now and then.
#pragma once

#include <optional>

#include "loopsim/diagnostic.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"

namespace loopsim::cli {

// A warning at the expectation, which the run has met, if its output or order is another one where a race (races.hpp)
// comes out the other way. Times do not count, which are different on every machine; nor do digits in the output, which
// often are times. Empty as well for a run that is longer than what find_races() looks at.
[[nodiscard]] std::optional<Diagnostic> race_behind(const Expectation& expectation, const Scenario& scenario,
                                                    const Program& program);

}  // namespace loopsim::cli
