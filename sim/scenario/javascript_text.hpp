// JavaScript literals for texts (the rules are in loopsim/text.hpp), numbers and durations.
#pragma once

#include <string>
#include <string_view>

#include "loopsim/time.hpp"

namespace loopsim::javascript {

[[nodiscard]] std::string js_quoted(std::string_view text);      // 'text'
[[nodiscard]] std::string template_part(std::string_view text);  // for a template literal, without backticks
[[nodiscard]] std::string number(double value);                  // reads back the same
[[nodiscard]] std::string milliseconds(TimeNs duration);         // 1.5

}  // namespace loopsim::javascript
