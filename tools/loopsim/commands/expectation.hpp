// Compares what a run did with what its scenario expects.
#pragma once

#include <string>
#include <vector>

#include "loopsim/scenario.hpp"
#include "loopsim/writers.hpp"

namespace loopsim::cli {

// One thing that was expected, as lines.
struct Comparison {
  std::string what;  // "output", "order" ...
  std::vector<std::string> expected;
  std::vector<std::string> actual;
};

// Everything that differs; empty when the run did what was expected. A limit that nobody expects counts as a difference.
[[nodiscard]] std::vector<Comparison> differences(const Expectation& expectation, const Recording& recording);

}  // namespace loopsim::cli
