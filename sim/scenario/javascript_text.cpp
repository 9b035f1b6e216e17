#include "sim/scenario/javascript_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "loopsim/text.hpp"

namespace loopsim::javascript {

std::string js_quoted(std::string_view text) { return javascript_string(text); }

std::string template_part(std::string_view text) { return javascript_template_part(text); }

std::string number(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (value == std::floor(value) && std::fabs(value) < kExact) {
    return std::signbit(value) && value == 0 ? "-0" : std::to_string(static_cast<long long>(value));
  }
  return fmt::format("{}", value);
}

std::string milliseconds(TimeNs duration) {
  std::string text = std::to_string(duration / kMillisecond);
  if (duration % kMillisecond != 0) {
    text += fmt::format(".{:06}", duration % kMillisecond);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text;
}

}  // namespace loopsim::javascript
