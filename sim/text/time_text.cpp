#include "loopsim/time_text.hpp"

#include <fmt/format.h>

namespace loopsim {

std::string ms_text(TimeNs time) {
  const TimeNs size = time < 0 ? -time : time;
  const char* const sign = time < 0 ? "-" : "";
  const TimeNs whole = size / kMillisecond;
  const TimeNs rest = size % kMillisecond;
  if (rest % kMicrosecond == 0) return fmt::format("{}{}.{:03}", sign, whole, rest / kMicrosecond);
  return fmt::format("{}{}.{:06}", sign, whole, rest);
}

std::string short_ms_text(TimeNs time) {
  std::string text = ms_text(time);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace loopsim
