// Time in loopsim: integer nanoseconds everywhere.
//
// Two clocks exist (libuv docs, "The I/O loop"; libuv src/unix/core.c, uv__update_time):
//  - true time: nanoseconds since the start of the process, the axis of every trace;
//  - loop time (uv_now): true time plus the clock phase, floored to whole milliseconds, cached by the loop.
#pragma once

#include <cstdint>
#include <limits>

namespace loopsim {

using TimeNs = std::int64_t;  // true time or a duration, in nanoseconds
using TimeMs = std::int64_t;  // loop time or a timer's duration, in whole milliseconds

inline constexpr TimeNs kMicrosecond = 1'000;
inline constexpr TimeNs kMillisecond = 1'000'000;
inline constexpr TimeNs kSecond = 1'000'000'000;
inline constexpr TimeNs kNever = std::numeric_limits<TimeNs>::max();

// The longest duration in a document: 10^9 s. Sums of a few of them still fit in TimeNs.
inline constexpr TimeNs kMaxDuration = 1'000'000'000 * kSecond;

}  // namespace loopsim
