// The fields of a profile, one by one: names, meanings, values.
//
// The meanings are worded as in docs/profiles.md; a test compares the two.
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "loopsim/profile.hpp"

namespace loopsim {
namespace {

// ---- values ---------------------------------------------------------------------------------------------------------------------

std::string word(bool value) { return value ? "yes" : "no"; }
std::string word(std::uint8_t value) { return std::to_string(value); }
std::string word(std::string_view value) { return "\"" + std::string(value) + "\""; }
// The words of an enumeration are its enumerators.
std::string word(LoopOrder value) {
  switch (value) {
    case LoopOrder::timers_first: return "timers_first";
    case LoopOrder::timers_last: return "timers_last";
  }
  return "";
}
std::string word(TimerModel value) {
  switch (value) {
    case TimerModel::handle_per_list: return "handle_per_list";
    case TimerModel::single_handle: return "single_handle";
  }
  return "";
}
std::string word(IntervalStart value) {
  switch (value) {
    case IntervalStart::after_callback: return "after_callback";
    case IntervalStart::before_callback: return "before_callback";
  }
  return "";
}
std::string word(TimersAfterThrow value) {
  switch (value) {
    case TimersAfterThrow::tick: return "tick";
    case TimersAfterThrow::list_ticks: return "list_ticks";
    case TimersAfterThrow::at_once: return "at_once";
  }
  return "";
}
std::string word(ListRearm value) {
  switch (value) {
    case ListRearm::from_pass_start: return "from_pass_start";
    case ListRearm::may_be_zero: return "may_be_zero";
    case ListRearm::at_least_one: return "at_least_one";
  }
  return "";
}
std::string word(ImmediatesAfterThrow value) {
  switch (value) {
    case ImmediatesAfterThrow::tick: return "tick";
    case ImmediatesAfterThrow::rest: return "rest";
    case ImmediatesAfterThrow::all: return "all";
  }
  return "";
}
std::string word(CodeAfterException value) {
  switch (value) {
    case CodeAfterException::one: return "one";
    case CodeAfterException::int32_set: return "int32_set";
    case CodeAfterException::any: return "any";
  }
  return "";
}
std::string word(RejectionPolicy value) {
  switch (value) {
    case RejectionPolicy::silent: return "silent";
    case RejectionPolicy::warn: return "warn";
    case RejectionPolicy::raise: return "raise";
  }
  return "";
}
std::string word(PromiseFollowing value) {
  switch (value) {
    case PromiseFollowing::standard: return "standard";
    case PromiseFollowing::adopts_settled: return "adopts_settled";
    case PromiseFollowing::stores: return "stores";
  }
  return "";
}

std::string word(FinalCall value) {
  switch (value) {
    case FinalCall::on_finish: return "on_finish";
    case FinalCall::tick: return "tick";
    case FinalCall::at_once: return "at_once";
  }
  return "";
}
std::string word(FinishEvent value) {
  switch (value) {
    case FinishEvent::at_once: return "at_once";
    case FinishEvent::counted: return "counted";
    case FinishEvent::rechecked: return "rechecked";
    case FinishEvent::on_tick: return "on_tick";
  }
  return "";
}
std::string word(EndCallback value) {
  switch (value) {
    case EndCallback::finish_listener: return "finish_listener";
    case EndCallback::error_listener: return "error_listener";
    case EndCallback::list: return "list";
  }
  return "";
}
std::string word(WriteAfterFin value) {
  switch (value) {
    case WriteAfterFin::emits: return "emits";
    case WriteAfterFin::ticks: return "ticks";
    case WriteAfterFin::destroys: return "destroys";
  }
  return "";
}
std::string word(TextShown value) {
  switch (value) {
    case TextShown::plain: return "plain";
    case TextShown::single_quotes: return "single_quotes";
    case TextShown::fitting_quotes: return "fitting_quotes";
    case TextShown::hex_escapes: return "hex_escapes";
  }
  return {};
}

std::string word(DestroyedWrite value) {
  switch (value) {
    case DestroyedWrite::tried: return "tried";
    case DestroyedWrite::fails: return "fails";
    case DestroyedWrite::refused: return "refused";
  }
  return "";
}
std::string word(WriteAfterEnd value) {
  switch (value) {
    case WriteAfterEnd::at_once: return "at_once";
    case WriteAfterEnd::after_callback: return "after_callback";
  }
  return "";
}
std::string word(WriteError value) {
  switch (value) {
    case WriteError::at_once: return "at_once";
    case WriteError::finish_follows: return "finish_follows";
    case WriteError::after_callbacks: return "after_callbacks";
  }
  return "";
}
std::string word(WriteBuffer value) {
  switch (value) {
    case WriteBuffer::list: return "list";
    case WriteBuffer::array: return "array";
  }
  return "";
}
std::string word(ReadableGeneration value) {
  switch (value) {
    case ReadableGeneration::at_once: return "at_once";
    case ReadableGeneration::on_tick: return "on_tick";
    case ReadableGeneration::flags: return "flags";
  }
  return "";
}
std::string word(SocketEnd value) {
  switch (value) {
    case SocketEnd::socket_end_event: return "socket_end_event";
    case SocketEnd::maybe_destroy: return "maybe_destroy";
    case SocketEnd::own_side: return "own_side";
    case SocketEnd::stream: return "stream";
  }
  return "";
}
std::string word(EndAfterError value) {
  switch (value) {
    case EndAfterError::yes: return "yes";
    case EndAfterError::unless_told: return "unless_told";
    case EndAfterError::no: return "no";
  }
  return "";
}
std::string word(std::uint32_t value) { return std::to_string(value); }

std::string word(LostImmediates value) {
  switch (value) {
    case LostImmediates::none: return "none";
    case LostImmediates::forgotten: return "forgotten";
    case LostImmediates::still_counted: return "still_counted";
  }
  return "";
}

template <auto member>
constexpr ProfileField field(std::string_view name, std::string_view meaning) {
  return {name, meaning, [](const Profile& profile) { return word(profile.*member); },
          [](const Profile& a, const Profile& b) { return a.*member == b.*member; },
          [](Profile& to, const Profile& from) { to.*member = from.*member; }};
}

// The same for a field of the profile's libuv.
template <auto member>
constexpr ProfileField libuv(std::string_view name, std::string_view meaning) {
  return {name, meaning, [](const Profile& profile) { return word(profile.libuv.*member); },
          [](const Profile& a, const Profile& b) { return a.libuv.*member == b.libuv.*member; },
          [](Profile& to, const Profile& from) { to.libuv.*member = from.libuv.*member; }};
}

// ---- the table ------------------------------------------------------------------------------------------------------------------

constexpr std::array kFields = {
    libuv<&LibuvProfile::loop_order>(
        "loop_order",
        "where a turn begins: with the timers, or after them (they then run once before the "
        "first turn, and last in each)"),
    libuv<&LibuvProfile::pending_after_poll>("pending_after_poll",
                                             "the pending queue is run again right after poll, at most 8 times"),
    libuv<&LibuvProfile::pending_keeps_alive>("pending_keeps_alive",
                                              "the loop goes on for what stands in the pending queue alone"),
    libuv<&LibuvProfile::first_timers_if_stopped>(
        "first_timers_if_stopped", "the timers before the first turn run even if the loop has been stopped"),
    field<&Profile::poll_looks_first>("poll_looks_first",
                                      "a poll that may sleep first polls without blocking, which updates loop time, "
                                      "and then sleeps only for the rest"),
    libuv<&LibuvProfile::timers_collected_first>("timers_collected_first",
                                                 "a timers phase takes all due libuv timers out of the heap before it "
                                                 "calls the first; a timer started meanwhile waits for the next pass"),
    field<&Profile::first_poll_wakes>("first_poll_wakes",
                                      "V8's work on its heap during startup wakes the first poll at once"),
    field<&Profile::first_wake_drains>("first_wake_drains",
                                       "V8's wake-up of the first poll is a task with a callback scope of its own, "
                                       "whose end runs the ticks and microtasks that an exception has left behind"),
    libuv<&LibuvProfile::closing_timer_starts>("closing_timer_starts",
                                               "uv_timer_start() of a closing handle is no error (libuv alone)"),
    libuv<&LibuvProfile::timeout_counts_watchers>(
        "timeout_counts_watchers",
        "uv_backend_timeout() is 0 while descriptors wait for the next poll to register them (libuv alone)"),
    libuv<&LibuvProfile::once_minds_idle>(
        "once_minds_idle",
        "UV_RUN_ONCE does not block if there was an active idle handle before the idle phase (libuv alone)"),
    libuv<&LibuvProfile::measures_idle_time>("measures_idle_time",
                                             "uv_loop_configure() knows UV_METRICS_IDLE_TIME (libuv alone)"),
    libuv<&LibuvProfile::sides_are_known>(
        "sides_are_known",
        "reading and writing a stream that is not connected is refused: UV_ENOTCONN, UV_EPIPE (libuv alone)"),
    libuv<&LibuvProfile::reading_twice_fails>(
        "reading_twice_fails", "uv_read_start() of a stream that is read already is UV_EALREADY (libuv alone)"),
    libuv<&LibuvProfile::eof_stops_reading_late>(
        "eof_stops_reading_late", "a stream still counts as read in the callback that tells the end (libuv alone)"),
    libuv<&LibuvProfile::eof_ends_readable>("eof_ends_readable",
                                            "a stream whose end was read is no longer readable (libuv alone)"),
    libuv<&LibuvProfile::error_ends_sides>(
        "error_ends_sides", "after an error of read() a stream is neither readable nor writable (libuv alone)"),
    libuv<&LibuvProfile::shutdown_ends_writable>("shutdown_ends_writable",
                                                 "a stream is not writable from uv_shutdown() on (libuv alone)"),
    libuv<&LibuvProfile::pipe_connect_reads>(
        "pipe_connect_reads", "uv_pipe_connect() watches for data, too, which nobody reads (libuv alone)"),
    libuv<&LibuvProfile::writes_go_on>(
        "writes_go_on",
        "a write that is done lets those behind it follow at once; before, by the next event (libuv alone)"),
    libuv<&LibuvProfile::written_may_follow>(
        "written_may_follow",
        "a write that the callback of a write has made, and that is done, is told at once (libuv alone)"),
    libuv<&LibuvProfile::bind_fails_connect>(
        "bind_fails_connect", "uv_tcp_connect(), too, tells that the port of uv_tcp_bind() is taken (libuv alone)"),
    libuv<&LibuvProfile::closing_signal_turns>("closing_signal_turns",
                                               "a closing signal handle with signals on the way lets the loop turn "
                                               "until it has got them; before, it waits aside (libuv alone)"),
    libuv<&LibuvProfile::caught_signal_keeps_active>(
        "caught_signal_keeps_active",
        "a stopped signal handle stays active until it has got the signals on the way (libuv alone)"),
    libuv<&LibuvProfile::poll_stop_forgets>(
        "poll_stop_forgets", "a stopped poll handle is taken out of epoll, and of the events at hand (libuv alone)"),
    libuv<&LibuvProfile::poll_init_checks>("poll_init_checks",
                                           "uv_poll_init() of a descriptor that is watched is UV_EEXIST (libuv alone)"),
    libuv<&LibuvProfile::poll_start_checks>(
        "poll_start_checks",
        "uv_poll_start() of a descriptor that is watched by another handle is UV_EEXIST (libuv alone)"),
    libuv<&LibuvProfile::slow_io_limit>("slow_io_limit", "the pool runs at most (n + 1) / 2 name lookups at once"),
    field<&Profile::runs_loop_once>(
        "runs_loop_once", "Node calls `uv_run(ONCE)` for every turn, which runs timers a second time at its end"),
    field<&Profile::module_runs_in_poll>(
        "module_runs_in_poll", "the body of an ES module is run inside the loop, when its file has been read"),
    field<&Profile::module_error_hops>(
        "module_error_hops",
        "microtasks between an exception of an ES module's body and its `uncaughtException`, as it travels through the "
        "module loader; one more when the module awaits"),
    field<&Profile::exit_tells_unsettled>("exit_tells_unsettled",
                                          "`exit` listeners are given code 13 when a top-level await never went on"),
    field<&Profile::whole_file_requests>("whole_file_requests",
                                         "`readFile` and `writeFile` are one request to the pool"),
    field<&Profile::timer_model>("timer_model",
                                 "one libuv timer for each length, or one for all, with the lists in a queue"),
    field<&Profile::interval_start>(
        "interval_start",
        "start of the next round of an interval: the end of its callback, or just before its callback"),
    field<&Profile::list_rearm>("list_rearm",
                                "how long a list waits if its first timer is not due yet: the rest as of the begin of "
                                "the pass; the rest as of now, which may be 0; or at least 1 ms"),
    field<&Profile::timers_after_throw>(
        "timers_after_throw",
        "how timers continue after a handled exception: a tick with the list; ticks with it and with longer lists that "
        "become due meanwhile; or the pass itself, at once"),
    field<&Profile::thrown_unref_timer_closes>(
        "thrown_unref_timer_closes", "an unref'd timer that has thrown is closed, so `refresh()` does nothing"),
    field<&Profile::unref_timer_reads_clock>(
        "unref_timer_reads_clock", "before the callback of an unref'd timer the clock is read, which moves loop time"),
    field<&Profile::list_is_handle>(
        "list_is_handle",
        "a list is its libuv timer, which is closed when the list has run, even if `unref()` has given it to a timer "
        "meanwhile; a tick that finds that timer closed says `list[kOnTimeout] is not a function`"),
    field<&Profile::emptied_list_closes>("emptied_list_closes",
                                         "a list that an exception left empty is closed at once"),
    field<&Profile::fired_timer_loses_ref>(
        "fired_timer_loses_ref",
        "a timer that has fired or was cleared is neither one that keeps the process alive nor one that does not: "
        "`refresh()` makes it one that does not, and `ref()` does nothing"),
    field<&Profile::drain_between_timers>("drain_between_timers",
                                          "ticks and microtasks run between two timers of a pass"),
    field<&Profile::clear_ends_fired_timer>("clear_ends_fired_timer",
                                            "a timer that has fired can still be cleared: `refresh()` does not arm it "
                                            "any more"),
    field<&Profile::long_delay_warns>("long_delay_warns",
                                      "a delay of more than 2147483647 ms makes a warning, and that a tick"),
    field<&Profile::odd_delay_warns>(
        "odd_delay_warns",
        "the first delay that is negative and the first that is no number make a warning, and that a tick"),
    field<&Profile::refresh_reads_clock>("refresh_reads_clock",
                                         "`refresh()` of a cleared timer reads libuv's clock, which moves loop time"),
    field<&Profile::drain_between_immediates>("drain_between_immediates",
                                              "ticks and microtasks run between two immediates of a turn"),
    field<&Profile::immediates_after_throw>(
        "immediates_after_throw",
        "how a batch of immediates continues after an exception: a tick with the rest and the immediates queued after "
        "it; the check phase with the rest; or also with those queued meanwhile"),
    field<&Profile::lost_immediates>(
        "lost_immediates",
        "when an immediate clears itself and the next one, or clears itself and throws, the rest of the batch never "
        "runs; Node 8 goes on waiting for it, and its loop turns for ever"),
    field<&Profile::immediates_have_ref>("immediates_have_ref", "immediates have `ref()` and `unref()`"),
    field<&Profile::cleared_immediate_turns>("cleared_immediate_turns",
                                             "when the last immediate is cleared, the loop still makes a turn for it"),
    field<&Profile::check_drains_first>(
        "check_drains_first", "ticks and microtasks that an exception left behind run at the start of the check phase"),
    field<&Profile::child_tells_spawn>("child_tells_spawn", "a child process emits `spawn` when it has been started"),
    field<&Profile::signal_gives_its_name>("signal_gives_its_name", "listeners of a signal are given its name"),
    libuv<&LibuvProfile::accepts_one_per_turn>("accepts_one_per_turn",
                                               "a server takes one connection in a poll phase; before, all that wait"),
    field<&Profile::listen_error_explains>("listen_error_explains",
                                           "the error of a port in use says why: `listen EADDRINUSE: address already "
                                           "in use :::80`, before `listen EADDRINUSE :::80`"),
    libuv<&LibuvProfile::writes_are_queued>("writes_are_queued",
                                            "a write that is done at once also goes through the pending queue"),
    libuv<&LibuvProfile::failed_write_is_late>(
        "failed_write_is_late",
        "a write that fails at once is tried a second time, and its error is reported from the pending queue"),
    libuv<&LibuvProfile::eof_keeps_shutdown>("eof_keeps_shutdown",
                                             "the end of file leaves a handle active that is being shut down"),
    libuv<&LibuvProfile::shutdown_in_poll>(
        "shutdown_in_poll",
        "the own side of a socket is shut down by the next poll; since, by way of the pending queue"),
    libuv<&LibuvProfile::hup_ends_reading>(
        "hup_ends_reading", "when both sides have ended, the end comes along with the last bytes, in the same event"),
    field<&Profile::gone_write_succeeds>("gone_write_succeeds",
                                         "a write that failed counts as done when its socket was destroyed meanwhile"),
    field<&Profile::writev_is_late>("writev_is_late",
                                    "several buffers in one write are never tried at once; when they are done, "
                                    "JavaScript is called, and its ticks run"),
    field<&Profile::high_water_mark>("high_water_mark", "bytes that a stream buffers before it says enough"),
    field<&Profile::readable_generation>(
        "readable_generation",
        "generation of readable streams. The first flows at once when data arrives, and reads more after each "
        "unbuffered `data` and after each empty read, but not from a tick while it flows; the second flows on a tick, "
        "and reads while it has room; the third reads on until stopped"),
    field<&Profile::eof_tells_once>("eof_tells_once", "the end of file is not reported while `readable` is pending"),
    field<&Profile::data_needs_listener>("data_needs_listener",
                                         "data that arrives without a listener of `data` goes through the buffer"),
    field<&Profile::destroyed_reads_nothing>("destroyed_reads_nothing", "a destroyed stream is not read from"),
    field<&Profile::error_reads_nothing>("error_reads_nothing", "a stream with an error is not read from"),
    field<&Profile::end_after_error>("end_after_error", "`end` is emitted after an error"),
    field<&Profile::failed_write_destroys>("failed_write_destroys",
                                           "a write that fails destroys the socket; since, its stream does"),
    field<&Profile::keeps_error>(
        "keeps_error",
        "a stream keeps its first error: it writes and finishes no more, and `destroy()` emits it once, on a tick"),
    field<&Profile::write_error>("write_error",
                                 "a write that fails: `error` at once, the callback on a tick if it failed at once; "
                                 "so, and `finish` may follow; or both on that tick, the callback first"),
    field<&Profile::error_fails_writes>(
        "error_fails_writes", "pending writes fail with the stream's own error; before, with `ERR_STREAM_DESTROYED`"),
    field<&Profile::no_data_after_error>("no_data_after_error", "no `data` follows `error` or `close`"),
    field<&Profile::drain_unless_ended>("drain_unless_ended", "no `drain` after `end()` or `destroy()`"),
    field<&Profile::writes_share_tick>("writes_share_tick", "writes without callback share a tick"),
    field<&Profile::write_skips_tick>("write_skips_tick",
                                      "a write without callback that succeeds at once needs no tick"),
    field<&Profile::written_needs_no_drain>("written_needs_no_drain",
                                            "a write that is done at once asks for no `drain`"),
    field<&Profile::callbacks_get_null>(
        "callbacks_get_null", "callbacks of `write()` and `end()` get `null` when all is well; before, nothing"),
    field<&Profile::destroy_fails_writes>("destroy_fails_writes",
                                          "`destroy()` fails pending writes and a pending `end()`, on a tick"),
    field<&Profile::write_buffer>(
        "write_buffer",
        "the buffer of pending writes: a list; or an array, in which several that are written together count as one, "
        "the running write delays `finish`, and the rest fails if a write fails or completes after `destroy()`"),
    field<&Profile::destroyed_skips_final>("destroyed_skips_final", "`_final()` of a destroyed stream is not called"),
    field<&Profile::errors_have_codes>(
        "errors_have_codes", "errors of streams and servers have codes: `Error [ERR_STREAM_WRITE_AFTER_END]`"),
    field<&Profile::write_after_end>(
        "write_after_end",
        "a write after `end()`: `error` at once, then the callback on a tick; or the callback first"),
    field<&Profile::ending_refuses_writes>("ending_refuses_writes",
                                           "a write is one after `end()` while that is under way, too"),
    field<&Profile::destroyed_write>(
        "destroyed_write",
        "a write to a destroyed socket: is given to it as any other; fails with `ERR_STREAM_DESTROYED`, and nothing "
        "behind it is written; or is none, only its callback gets that"),
    field<&Profile::final_call>(
        "final_call",
        "what shuts the own side down when all is written: a listener of `finish`, `_final()` on a tick, or at once"),
    field<&Profile::finish_event>(
        "finish_event",
        "how `finish` is told: at once; on a tick; if all is still done; if it still is when that tick runs"),
    field<&Profile::end_callback>("end_callback",
                                  "how the callback of `end()` is called: as a listener of `finish`, also of `error`, "
                                  "or from a list before `finish`"),
    field<&Profile::end_tells_error>("end_tells_error",
                                     "`end()` of a stream that has finished or was destroyed gives its callback an "
                                     "error; before, a second `end()` did nothing"),
    field<&Profile::end_gives_error>("end_gives_error", "`end()` of a stream with an error gives its callback that"),
    field<&Profile::end_writes_by_itself>("end_writes_by_itself",
                                          "`end(data)` writes by the stream's own function; before, by `write()`, "
                                          "which may have been replaced when the other side has ended"),
    field<&Profile::not_running_text>("not_running_text",
                                      "the error message of `close()` of a server that is not listening"),
    field<&Profile::closed_socket_text>("closed_socket_text",
                                        "the error message of a write to a socket without handle"),
    field<&Profile::closed_write_destroys>("closed_write_destroys", "a write to a socket without handle destroys it"),
    field<&Profile::sides_are_computed>("sides_are_computed",
                                        "whether a socket is readable or writable is read off its streams: one with an "
                                        "error is not; before, it is set"),
    field<&Profile::tells_ready>("tells_ready", "`ready` follows `connect`"),
    field<&Profile::end_reads>("end_reads", "`end()` looks for the end of the other side"),
    field<&Profile::close_fails_write>("close_fails_write", "`close` fails a write that waits for the connection"),
    field<&Profile::connect_keeps_ended>(
        "connect_keeps_ended", "a socket that was ended while connecting is not writable when it is connected"),
    field<&Profile::auto_destroy>(
        "auto_destroy",
        "sockets have `autoDestroy`: they are destroyed when both sides have ended, and by an error of theirs"),
    field<&Profile::final_waits_if_gone>("final_waits_if_gone",
                                         "`_final()` of a socket without handle waits for `connect`"),
    field<&Profile::write_after_fin>(
        "write_after_fin",
        "a write after the other side has ended: `error` at once, on a tick, or the socket is destroyed"),
    field<&Profile::socket_end>("socket_end",
                                "the path from the end of both sides to `destroy()`: an event of its own, a listener "
                                "of `end` that also destroys, the own side first, or the streams alone"),
    field<&Profile::await_wraps>("await_wraps",
                                 "`await` wraps its operand in a new promise, which costs two more microtasks"),
    field<&Profile::following>("following",
                               "what resolving with a promise does: a job of its own calls its `then`; a settled one "
                               "is taken over at once; the promise is stored"),
    field<&Profile::rejection_policy>("rejection_policy", "what becomes of a rejection that nobody handles"),
    field<&Profile::exception_has_origin>(
        "exception_has_origin",
        "listeners of `uncaughtException` are told where the exception comes from, by their second argument"),
    field<&Profile::exception_immediate_ticks>(
        "exception_immediate_ticks", "the immediate that Node queues after a handled exception runs the ticks itself"),
    field<&Profile::double_resolve_ticks>(
        "double_resolve_ticks",
        "resolving or rejecting a promise once more queues a tick, which emits `multipleResolves`"),
    field<&Profile::rejection_queues_tick>("rejection_queues_tick",
                                           "an unhandled rejection queues the tick that runs the microtasks"),
    field<&Profile::rejections_before_ticks>(
        "rejections_before_ticks",
        "rejections are processed right after the microtasks; since, after the ticks that these have queued"),
    field<&Profile::rejections_until_none>(
        "rejections_until_none", "rejections caused by a listener are processed in the same round; since, in the next"),
    field<&Profile::late_handlers_tick>(
        "late_handlers_tick",
        "`rejectionHandled` has a tick of its own; since, it is emitted with the rejections, before them"),
    field<&Profile::late_handlers_warn>(
        "late_handlers_warn", "a rejection that is handled late emits a warning if `rejectionHandled` has no listener"),
    field<&Profile::failed_tick_is_done>(
        "failed_tick_is_done",
        "a tick that throws counts as done; otherwise as pending, so that the next callback drains the queues"),
    field<&Profile::rejections_as_snapshot>("rejections_as_snapshot",
                                            "a batch of rejections is processed as it was, even if one listener "
                                            "handles another of them; if one throws, the rest is lost"),
    field<&Profile::handler_hides_rejections>("handler_hides_rejections",
                                              "a handler for a rejection that is not processed yet makes Node forget "
                                              "the other pending ones until the next drain"),
    field<&Profile::queue_microtask_warns>(
        "queue_microtask_warns",
        "the first use of `queueMicrotask` queues a tick, which warns that it is experimental"),
    field<&Profile::late_handlers_drain>(
        "late_handlers_drain", "after `rejectionHandled` the queues of ticks and microtasks are emptied once more"),
    field<&Profile::drains_after_main_threw>("drains_after_main_threw",
                                             "ticks of the main script run at once although it threw"),
    field<&Profile::unhandled_error>("unhandled_error",
                                     "what `emit('error', value)` without a listener throws, before `(value)`"),
    field<&Profile::unhandled_error_text>(
        "unhandled_error_text",
        "a text in what `emit('error', text)` without a listener throws: as it is, in single quotes, in quotes that it "
        "does not contain, or so with control characters as `\\xNN`"),
    field<&Profile::promises_have_tag>("promises_have_tag",
                                       "the text of a promise is `[object Promise]`, before `[object Object]`"),
    field<&Profile::property_error_reading>(
        "property_error_reading",
        "`Cannot read properties of undefined (reading 'x')`, before `Cannot read property 'x' of undefined`"),
    field<&Profile::clear_text_error>("clear_text_error", "what `clearTimeout('text')` throws, `{}` being the text"),
    field<&Profile::code_after_exception>("code_after_exception",
                                          "the exit code after an uncaught exception: 1, or what `exit` listeners have "
                                          "set `process.exitCode` to, if it is an Int32, or whatever it is"),
    field<&Profile::exit_code_checked>("exit_code_checked",
                                       "`process.exitCode` and `process.exit()` throw for a non-integer"),
    field<&Profile::exit_takes_any_code>(
        "exit_takes_any_code",
        "`process.exit(code)` sets `process.exitCode` to any code; before, only to one that counts as true, or 0"),
    field<&Profile::before_exit_gives_int32>(
        "before_exit_gives_int32",
        "listeners of `beforeExit` are given the last 32 bits of the code; before, all of it"),
    field<&Profile::exit_gives_int32>(
        "exit_gives_int32",
        "listeners of `exit`, called by `process.exit()`, are given the last 32 bits; before, the value that was set"),
    field<&Profile::unset_exit_code_is_kept>(
        "unset_exit_code_is_kept",
        "`process.exitCode`, unset by an `exit` listener, ends with the code there was before"),
};

// ---- completeness ---------------------------------------------------------------------------------------------------

struct Anything {
  template <typename T>
  constexpr operator T() const;  // NOLINT(google-explicit-constructor): converts to a member of any type
};

template <std::size_t>
using AnythingAt = Anything;

template <typename T, std::size_t... i>
constexpr bool takes(std::index_sequence<i...>) {
  return requires { T{AnythingAt<i>{}...}; };
}

// The number of members of the aggregate: the most values that can initialize it.
template <typename T, std::size_t count = 0>
constexpr std::size_t count_members() {
  if constexpr (takes<T>(std::make_index_sequence<count + 1>{})) {
    return count_members<T, count + 1>();
  } else {
    return count;
  }
}

constexpr std::size_t kIdentity =
    6;  // family, name, major, version, note and libuv's version: they identify a profile, without effect on a run
// libuv is one member here, whose own members are counted apart; a browser's are not compared with Node's.
static_assert(kFields.size() + kIdentity + 2 == count_members<Profile>() + count_members<LibuvProfile>(),
              "a field of Profile or LibuvProfile is missing in this table");

}  // namespace

std::span<const ProfileField> profile_fields() { return kFields; }

}  // namespace loopsim
