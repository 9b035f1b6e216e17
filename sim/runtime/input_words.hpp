// What an input from outside the process does, in words, for the trace.
#pragma once

#include <string>

#include "loopsim/scenario.hpp"

namespace loopsim::runtime {

[[nodiscard]] std::string input_words(const OutsideEvent& event);

}  // namespace loopsim::runtime
