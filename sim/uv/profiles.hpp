// The versions of libuv, oldest first: the oldest in full, every later one as changes to its predecessor. Fields:
// loopsim/libuv.hpp; the whole matrix: docs/profiles.md.
#pragma once

#include "loopsim/libuv.hpp"

namespace loopsim::uv {

inline constexpr LibuvProfile k1_9 = {
    .version = "1.9.1",
    .loop_order = LoopOrder::timers_first,
    .pending_after_poll = false,
    .pending_keeps_alive = false,
    .first_timers_if_stopped = true,
    .timers_collected_first = false,
    .closing_timer_starts = true,
    .timeout_counts_watchers = false,
    .once_minds_idle = false,
    .measures_idle_time = false,
    .slow_io_limit = false,
    .accepts_one_per_turn = false,
    .writes_are_queued = true,
    .failed_write_is_late = true,
    .eof_keeps_shutdown = true,
    .shutdown_in_poll = true,
    .hup_ends_reading = true,
    .sides_are_known = false,
    .reading_twice_fails = false,
    .eof_stops_reading_late = true,
    .eof_ends_readable = false,
    .error_ends_sides = false,
    .shutdown_ends_writable = false,
    .pipe_connect_reads = true,
    .writes_go_on = false,
    .written_may_follow = true,
    .bind_fails_connect = false,
    .closing_signal_turns = false,
    .caught_signal_keeps_active = false,
    .poll_stop_forgets = false,
    .poll_init_checks = false,
    .poll_start_checks = false,
};

inline constexpr LibuvProfile k1_16 = [] {
  LibuvProfile p = k1_9;
  p.version = "1.16.1";
  p.poll_stop_forgets = true;
  return p;
}();

inline constexpr LibuvProfile k1_23 = [] {
  LibuvProfile p = k1_16;
  p.version = "1.23.2";
  p.slow_io_limit = true;
  p.sides_are_known = true;
  p.written_may_follow = false;
  p.poll_init_checks = true;
  return p;
}();

inline constexpr LibuvProfile k1_27 = [] {
  LibuvProfile p = k1_23;
  p.version = "1.27.0";
  p.pipe_connect_reads = false;
  return p;
}();

inline constexpr LibuvProfile k1_34 = [] {
  LibuvProfile p = k1_27;
  p.version = "1.34.2";
  p.failed_write_is_late = false;
  p.closing_timer_starts = false;
  p.eof_stops_reading_late = false;
  p.caught_signal_keeps_active = true;
  return p;
}();

inline constexpr LibuvProfile k1_40 = [] {
  LibuvProfile p = k1_34;
  p.version = "1.40.0";
  p.measures_idle_time = true;
  p.closing_signal_turns = true;
  p.caught_signal_keeps_active = false;
  return p;
}();

inline constexpr LibuvProfile k1_42 = [] {
  LibuvProfile p = k1_40;
  p.version = "1.42.0";
  p.writes_are_queued = false;
  p.eof_keeps_shutdown = false;
  p.reading_twice_fails = true;
  p.eof_ends_readable = true;
  p.error_ends_sides = true;
  p.shutdown_ends_writable = true;
  p.bind_fails_connect = true;
  p.poll_start_checks = true;
  return p;
}();

inline constexpr LibuvProfile k1_43 = [] {
  LibuvProfile p = k1_42;
  p.version = "1.43.0";
  p.eof_ends_readable = false;
  return p;
}();

inline constexpr LibuvProfile k1_44 = [] {
  LibuvProfile p = k1_43;
  p.version = "1.44.2";
  p.pending_keeps_alive = true;
  p.pending_after_poll = true;
  p.timeout_counts_watchers = true;
  p.once_minds_idle = true;
  p.shutdown_in_poll = false;
  return p;
}();

inline constexpr LibuvProfile k1_46 = [] {
  LibuvProfile p = k1_44;
  p.version = "1.46.0";
  p.loop_order = LoopOrder::timers_last;
  p.first_timers_if_stopped = false;
  p.accepts_one_per_turn = true;
  p.writes_go_on = true;
  return p;
}();

inline constexpr LibuvProfile k1_51 = [] {
  LibuvProfile p = k1_46;
  p.version = "1.51.0";
  p.timers_collected_first = true;
  return p;
}();

inline constexpr LibuvProfile k1_52 = [] {
  LibuvProfile p = k1_51;
  p.version = "1.52.1";
  p.hup_ends_reading = false;
  return p;
}();

}  // namespace loopsim::uv
