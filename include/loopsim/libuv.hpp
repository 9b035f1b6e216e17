// Differences between versions of libuv, as data. A profile of Node names the libuv in its binary. Sources per field:
// docs/profiles.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace loopsim {

// libuv src/unix/core.c, uv_run.
enum class LoopOrder : std::uint8_t {
  timers_first,  // <= 1.44: update time, timers, pending, idle, prepare, poll, check, closing
  timers_last,   // >= 1.45: timers once before the loop, then pending ... closing, update time, timers
};

struct LibuvProfile {
  std::string_view version;  // "1.51.0"

  LoopOrder loop_order;
  bool pending_after_poll;  // >= 1.44.2 runs the pending queue again after poll, at most 8 times
  // since 1.42 at the latest, uv__loop_alive (before, a write that completes at once can be pending without a request)
  bool pending_keeps_alive;
  bool first_timers_if_stopped;  // 1.45.0: the timers in front of the loop run even if it was stopped
  bool timers_collected_first;   // >= 1.48 removes all due timers from the heap before it calls the first
  bool closing_timer_starts;     // <= 1.27: uv_timer_start of a closing handle is no error
  // >= 1.44: uv_backend_timeout() is 0 while descriptors wait for the next poll to register them
  bool timeout_counts_watchers;
  bool once_minds_idle;     // >= 1.44: UV_RUN_ONCE does not block if there was an idle handle before the idle phase
  bool measures_idle_time;  // >= 1.39: uv_loop_configure() knows UV_METRICS_IDLE_TIME
  bool slow_io_limit;       // >= 1.24, and the one in Node 8: at most (n + 1) / 2 slow requests (DNS lookups) at once

  // src/unix/stream.c
  bool accepts_one_per_turn;  // >= 1.46: a server accepts one connection per poll phase; before, all that wait
  bool writes_are_queued;     // <= 1.40: a write that completes at once also goes through the pending queue
  bool failed_write_is_late;  // <= 1.27: a failed write is retried, and the retry reports the error
  bool eof_keeps_shutdown;    // <= 1.40: the end of file leaves a handle active while it is shutting down
  bool shutdown_in_poll;      // <= 1.43: uv_shutdown completes in poll; since, through the pending queue
  bool hup_ends_reading;      // <= 1.51: EOF is reported with the last bytes if both sides have ended
};

// The versions in the binaries of profiles(), oldest first.
[[nodiscard]] std::span<const LibuvProfile> libuv_profiles();
// Null: unknown version.
[[nodiscard]] const LibuvProfile* find_libuv(std::string_view version);

// libuv's error codes (include/uv/errno.h), on Linux: those that its functions return here.
inline constexpr int kUvEinval = -22, kUvEbusy = -16, kUvEnosys = -38, kUvEcanceled = -125;
struct UvError {
  std::string_view name;  // "UV_EBUSY"
  int code;
};
[[nodiscard]] std::span<const UvError> uv_errors();
[[nodiscard]] const UvError* find_uv_error(std::string_view name);  // null: no such error
[[nodiscard]] const UvError* find_uv_error(int code);

}  // namespace loopsim
