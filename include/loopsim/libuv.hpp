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

  // The same, seen by programs for libuv alone
  bool sides_are_known;         // >= 1.23: reading and writing what is not connected is refused (UV_ENOTCONN, UV_EPIPE)
  bool reading_twice_fails;     // >= 1.38: uv_read_start of a stream that is read is UV_EALREADY
  bool eof_stops_reading_late;  // <= 1.27: a stream still counts as read in the callback that tells the end
  bool eof_ends_readable;       // 1.42: a stream whose end was read is no longer readable
  bool error_ends_sides;        // >= 1.42: after an error of read() a stream is neither readable nor writable
  bool shutdown_ends_writable;  // >= 1.42: a stream is not writable from uv_shutdown() on
  bool pipe_connect_reads;      // <= 1.23: uv_pipe_connect watches for readable data, which nobody reads
  bool writes_go_on;  // >= 1.46: a write that is done lets those behind it follow at once; before, by the next event
  bool written_may_follow;  // <= 1.16: a write that a write's callback has made, and that is done, is told at once
  bool bind_fails_connect;  // >= 1.42: uv_tcp_connect, too, tells that the port of uv_tcp_bind is taken

  // src/unix/signal.c
  bool
      closing_signal_turns;  // >= 1.40: a closing signal handle with signals on the way lets the loop turn until it has got them
  bool caught_signal_keeps_active;  // 1.34: a stopped signal handle is active until it has got the signals on the way

  // src/unix/poll.c
  bool poll_stop_forgets;  // >= 1.16: a stopped poll handle is taken out of epoll, and of the events at hand
  bool poll_init_checks;   // >= 1.23: uv_poll_init of a descriptor that is watched is UV_EEXIST
  bool poll_start_checks;  // >= 1.42: uv_poll_start, too
};

// The versions in the binaries of profiles(), oldest first.
[[nodiscard]] std::span<const LibuvProfile> libuv_profiles();
// Null: unknown version.
[[nodiscard]] const LibuvProfile* find_libuv(std::string_view version);

// libuv's error codes (include/uv/errno.h), on Linux: those that its functions return here.
inline constexpr int kUvEinval = -22, kUvEbusy = -16, kUvEnosys = -38, kUvEcanceled = -125, kUvEof = -4095,
                     kUvEagain = -11, kUvEalready = -114, kUvEnotconn = -107, kUvEpipe = -32, kUvEconnreset = -104,
                     kUvEconnrefused = -111, kUvEaddrinuse = -98, kUvEnoent = -2, kUvEexist = -17, kUvEbadf = -9,
                     kUvEsrch = -3, kUvEisconn = -106, kUvEconnaborted = -103, kUvEaiCanceled = -3003;
struct UvError {
  std::string_view name;  // "UV_EBUSY"
  int code;
};
[[nodiscard]] std::span<const UvError> uv_errors();
[[nodiscard]] const UvError* find_uv_error(std::string_view name);  // null: no such error
[[nodiscard]] const UvError* find_uv_error(int code);

}  // namespace loopsim
