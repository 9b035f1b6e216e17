// What differs between versions of libuv, as data: a profile of Node names the one that its binary contains. Sources are named per
// field in docs/profiles.md.
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
  // >= 1.42 at the latest (before, a write that is done at once can stand there without a request), uv__loop_alive
  bool pending_keeps_alive;
  bool first_timers_if_stopped;  // 1.45.0 only asked `alive` before the timers in front of the loop
  bool timers_collected_first;   // >= 1.48 takes all due timers from the heap before it calls the first of them
  bool slow_io_limit;  // >= 1.24, and the one in Node 8: at most (n + 1) / 2 slow requests (DNS lookups) at once

  // src/unix/stream.c
  bool accepts_one_per_turn;  // >= 1.46: a server takes one connection in a poll phase; before, all that wait
  bool writes_are_queued;     // <= 1.40: a write that is done at once goes through the pending queue, too
  bool failed_write_is_late;  // <= 1.27: one that fails is tried a second time, and its error told from there
  bool eof_keeps_shutdown;    // <= 1.40: the end of file leaves a handle active that is being shut down
  bool shutdown_in_poll;      // <= 1.43: uv_shutdown waits for poll; since, for the pending queue
  bool hup_ends_reading;      // <= 1.51: the end comes along with the last bytes when both sides have ended
};

// Those in the binaries of profiles(), oldest first.
[[nodiscard]] std::span<const LibuvProfile> libuv_profiles();
// Null: there is none of that version.
[[nodiscard]] const LibuvProfile* find_libuv(std::string_view version);

}  // namespace loopsim
