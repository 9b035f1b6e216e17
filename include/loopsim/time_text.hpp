// Times and durations as people read them: in milliseconds.
#pragma once

#include <string>

#include "loopsim/time.hpp"

namespace loopsim {

// With three decimals: "95.000"; with six where the time is not a whole number of microseconds.
[[nodiscard]] std::string ms_text(TimeNs time);

// With as many decimals as are needed: "95", "0.7".
[[nodiscard]] std::string short_ms_text(TimeNs time);

}  // namespace loopsim
