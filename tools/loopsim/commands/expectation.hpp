// Compares a run with the expectation of its scenario.
#pragma once

#include <string>
#include <vector>

#include "loopsim/scenario.hpp"
#include "loopsim/writers.hpp"

namespace loopsim::cli {

// One expected property, as lines.
struct Comparison {
  std::string what;  // "output", "order" ...
  std::vector<std::string> expected;
  std::vector<std::string> actual;
};

// The properties that differ; empty if the run met the expectation. Reaching an unexpected limit is a difference.
[[nodiscard]] std::vector<Comparison> differences(const Expectation& expectation, const Recording& recording);

}  // namespace loopsim::cli
