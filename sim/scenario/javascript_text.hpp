// JavaScript's spelling of texts (the rules are in loopsim/text.hpp), numbers and durations.
#pragma once

#include <string>
#include <string_view>

#include "loopsim/time.hpp"

namespace loopsim::javascript {

[[nodiscard]] std::string js_quoted(std::string_view text);      // 'text'
[[nodiscard]] std::string template_part(std::string_view text);  // the same between backticks, without them
[[nodiscard]] std::string number(double value);                  // the shortest that reads back the same
[[nodiscard]] std::string milliseconds(TimeNs duration);         // 1.5

}  // namespace loopsim::javascript
