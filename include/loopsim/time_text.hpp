// Human-readable times and durations, in milliseconds.
#pragma once

#include <string>

#include "loopsim/time.hpp"

namespace loopsim {

// Three decimals: "95.000"; six if the time is not a whole number of microseconds.
[[nodiscard]] std::string ms_text(TimeNs time);

// As many decimals as needed: "95", "0.7".
[[nodiscard]] std::string short_ms_text(TimeNs time);

}  // namespace loopsim
