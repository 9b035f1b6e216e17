// What differs between versions of Node (and of the libuv inside), as data. The loop and the Node layer read these fields; no
// other place in the program asks which version it is. Sources are named per field in docs/profiles.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "loopsim/libuv.hpp"

namespace loopsim {

// How Node keeps its timers.
enum class TimerModel : std::uint8_t {
  handle_per_list,  // <= 10: one uv_timer_t for every duration (lib/timers.js, TimerWrap)
  single_handle,    // >= 11: one uv_timer_t in all, lists in a priority queue (lib/internal/timers.js)
};

// From which moment setInterval counts its next round.
enum class IntervalStart : std::uint8_t {
  after_callback,   // <= 8: from the end of the callback
  before_callback,  // >= 10: from the loop time read just before the callback
};

// What goes on with timers after an exception that was handled (lib/timers.js, tryOnTimeout; src/env.cc, RunTimers).
enum class TimersAfterThrow : std::uint8_t {
  tick,        // 4: a tick goes on with the list
  list_ticks,  // 6, 8: the same, and lists of longer timers that come due before it wait for ticks of their own
  at_once,     // >= 10: the pass is entered again at once
};

// How long a list waits whose first timer is not due yet, from when that is found out (lib/timers.js, listOnTimeout).
enum class ListRearm : std::uint8_t {
  from_pass_start,  // 4: what was left when the pass began: what the callbacks before it have taken is waited for twice
  may_be_zero,      // 6, 8: what is left by now, which may be nothing: then it is run in the same pass
  at_least_one,     // >= 10: what is left by now, at least 1 ms
};

// What goes on with a batch of immediates after one has thrown (lib/timers.js, processImmediate).
enum class ImmediatesAfterThrow : std::uint8_t {
  tick,  // <= 8: a tick runs the rest, and what was queued behind it
  rest,  // 10: the phase goes on with the rest; with what was queued meanwhile only when that has thrown as well
  all,   // >= 11: the phase goes on with the rest, or, if there is none, with what was queued meanwhile
};

// The exit code after an exception that nobody caught (src/node.cc, src/node_errors.cc, TriggerUncaughtException).
enum class CodeAfterException : std::uint8_t {
  one,        // <= 8: 1
  int32_set,  // 10 - 18: what 'exit' listeners have set process.exitCode to, if that is an Int32
  any,        // >= 20: what they have set it to
};

// What becomes of a rejected promise that nobody handled.
enum class RejectionPolicy : std::uint8_t {
  silent,  // 4: nothing is printed
  warn,    // 6 - 14: a warning on stderr, exit code unchanged
  raise,   // >= 15: raised as an uncaught exception
};

// What the resolve function does with a promise (ECMAScript 27.2.1.3.2, and what V8 did before).
enum class PromiseFollowing : std::uint8_t {
  standard,        // a job of its own calls its then: two microtasks more than a plain value
  adopts_settled,  // 8: the state of a settled promise is taken over at once
  stores,          // 4: the promise is the value; whoever reacts to it waits for it
};

// What shuts a socket's own side down once it was ended and all is written (lib/net.js, lib/_stream_writable.js).
enum class FinalCall : std::uint8_t {
  on_finish,  // 4, 6: a listener of 'finish'
  tick,       // 8 - 14: _final(), on a tick
  at_once,    // >= 16: _final(), at once
};

// How 'finish' is told.
enum class FinishEvent : std::uint8_t {
  at_once,    // 4 - 12
  counted,    // 14: on a tick when end() itself finds all done
  rechecked,  // 16: the same, if all is still done after _final(); which tells it on a tick
  on_tick,    // >= 18: the same, if it still is when that tick runs; and no more once it is destroyed
};

// How the callback of end() is called.
enum class EndCallback : std::uint8_t {
  finish_listener,  // 4 - 12: a listener of 'finish'; none when the socket was ended before
  error_listener,   // 14: also one of 'error', in front of the others
  list,             // >= 16: from a list, before the listeners of 'finish'
};

// A write after the other side has ended, when half-open connections are not allowed (lib/net.js, writeAfterFIN).
enum class WriteAfterFin : std::uint8_t {
  emits,     // 4 - 11: 'error', at once
  ticks,     // 12, 14: 'error', on a tick
  destroys,  // >= 16: the socket is destroyed with the error, if its own side was ended, too
};

// What the stream of a destroyed socket does with a write.
enum class DestroyedWrite : std::uint8_t {
  tried,    // <= 8: gives it to the socket, which has no handle any more
  fails,    // 10 - 12: the write fails with ERR_STREAM_DESTROYED, and what waits behind one that is done is not written
  refused,  // >= 14: there is no write; its callback gets ERR_STREAM_DESTROYED on a tick
};

// A write after end() (lib/_stream_writable.js, writeAfterEnd; lib/internal/streams/writable.js, _write).
enum class WriteAfterEnd : std::uint8_t {
  at_once,         // <= 12: 'error' at once, then the callback on a tick
  after_callback,  // >= 14: the callback on a tick, then the error on another, or by destroy()
};

// A write that fails (onwriteError).
enum class WriteError : std::uint8_t {
  at_once,         // <= 6: 'error' is emitted there and then; when it fails at once, its callback follows on a tick
  finish_follows,  // 8 - 12: the same, and 'finish' may come after it
  after_callbacks,  // >= 14: the callback first, then the error, by errorOrDestroy(); when it fails at once, both on one tick
};

// How a writable stream keeps what waits for the write before it.
enum class WriteBuffer : std::uint8_t {
  list,  // <= 12: a linked list; each of several that are written as one counts as pending until its callback runs
  // >= 14: an array; several that are written as one count as one; what is being written from it still stands there for 'finish';
  // what stands in it when a write fails, or is done after destroy(), fails, too (errorBuffer)
  array,
};

// How a readable stream passes on what it has got, and when it asks for more: what changed with the rewrite of the 'readable' event in
// Node 10, and with the state as flags in 20 (lib/_stream_readable.js, lib/internal/streams/readable.js).
enum class ReadableGeneration : std::uint8_t {
  // <= 8: what it waited for starts its flow at once; read(0) follows a 'data' that did not go through the buffer; the tick that
  // looks for more does nothing while it flows; every read() that takes nothing asks for more, beyond its mark as well
  at_once,
  // 10 - 18: a tick starts its flow; no read(0); that tick reads while the buffer is empty; a read() asks for more if there is room
  on_tick,
  // >= 20: the same, but that it has asked (state.needReadable) is not taken back before it was told
  flags,
};

// How a text is shown within an error's message: as it is, or as util.inspect does (lib/internal/util/inspect.js, strEscape()).
enum class TextShown : std::uint8_t {
  plain,           // <= 8
  single_quotes,   // 10: in single quotes, what JSON escapes escaped
  fitting_quotes,  // 11, 12: in quotes that it does not contain, if there are any
  hex_escapes,     // >= 14: the same; control characters as \xNN, also those above 0x7F
};

// What leads from the ends of a socket's two sides to destroy() (lib/net.js).
enum class SocketEnd : std::uint8_t {
  socket_end_event,  // 4 - 8: an event of its own, '_socketEnd', before 'end'
  maybe_destroy,     // 10, 11: a listener of 'end' that ends the own side, and destroys
  own_side,          // 12, 14: the same; destroyed when the own side is shut down
  stream,            // >= 16: by the streams themselves (autoDestroy)
};

// Whether 'end' is told after an error (lib/_stream_readable.js, endReadableNT).
enum class EndAfterError : std::uint8_t {
  yes,          // 4 - 12
  unless_told,  // 14, 16: not once 'error' or 'close' was told
  no,           // >= 18
};

// What becomes of the rest of a batch when an immediate clears itself and the next one, or itself and then throws.
enum class LostImmediates : std::uint8_t {
  none,          // it runs
  forgotten,     // 6: it never runs
  still_counted  // 8: it never runs, and Node goes on waiting for it: the loop turns for ever
};

struct Profile {
  std::string_view name;     // "node-24"
  int major;                 // 24
  std::string_view version;  // of the binary it was measured on, "24.11.1"
  LibuvProfile libuv;        // the one in it
  std::string_view note;     // one line: what changed with it

  // the loop
  // >= 12 (UV_METRICS_IDLE_TIME): a poll that may block first looks without blocking, which refreshes the time
  bool poll_looks_first;
  bool first_poll_wakes;   // 8, 12, 14: what V8 did for its heap while Node started wakes the first poll at once
  bool first_wake_drains;  // 14: that is a task, run in a scope of its own, at whose end ticks and microtasks run

  // life cycle
  bool runs_loop_once;  // <= 6: Node calls uv_run(ONCE) for every turn, which runs timers a second time at its end
  // 12 - 20: an ES module's body is run by the loop, from the completion that has read its file
  bool module_runs_in_poll;
  // Microtasks between an exception of an ES module's body and its 'uncaughtException': it travels through the loader's own
  // async functions; one more when the module awaits.
  std::uint8_t module_error_hops;
  bool exit_tells_unsettled;  // >= 22: 'exit' listeners are given code 13 when a top-level await never settled
  bool whole_file_requests;   // 26: readFile and writeFile are one request to the pool

  // timers
  TimerModel timer_model;
  IntervalStart interval_start;
  ListRearm list_rearm;
  TimersAfterThrow timers_after_throw;
  bool thrown_unref_timer_closes;  // >= 10: an unref'd timer that has thrown is closed, as one that has not
  bool unref_timer_reads_clock;    // >= 10: before the callback of one the clock is read, which moves the loop's time
  // 4: a list is its libuv timer, which is closed when the list has run, even if unref() has given it to a timer meanwhile
  bool list_is_handle;
  bool emptied_list_closes;     // 8: a list that an exception left empty is closed at once
  bool fired_timer_loses_ref;   // 11: refresh() of one that has fired or was cleared makes it an unreferenced one
  bool drain_between_timers;    // ticks and microtasks between two timers of a pass (>= 11)
  bool clear_ends_fired_timer;  // 11: a timer that has fired can be cleared; refresh() does not arm it any more
  bool long_delay_warns;        // >= 10: a delay of more than 2^31 - 1 ms makes a warning, and that a tick
  bool odd_delay_warns;         // >= 24: so do the first that is negative and the first that is no number
  bool refresh_reads_clock;     // 11: refresh() of a cleared timer reads libuv's clock, which moves the loop's time

  // immediates
  bool drain_between_immediates;  // the same between two immediates of a batch (>= 11)
  ImmediatesAfterThrow immediates_after_throw;
  LostImmediates lost_immediates;
  bool immediates_have_ref;      // >= 10: ref() and unref() of an immediate
  bool cleared_immediate_turns;  // 8: only the next check phase stops the idle handle: one more turn
  bool check_drains_first;       // 12 - 24: the queues are emptied at the start of every check phase

  // child processes and signals
  bool child_tells_spawn;      // >= 14.17: a child process emits 'spawn' once it was started
  bool signal_gives_its_name;  // >= 8: listeners of a signal are given its name

  // network
  bool listen_error_explains;  // >= 10: "listen EADDRINUSE: address already in use :::80", before without the reason

  // sockets (src/stream_base.cc)
  bool gone_write_succeeds;  // 11: the error of such a write is none once the socket is destroyed
  bool writev_is_late;  // <= 6: several buffers in one write are never tried at once, but told of when they are done
  // readable streams (lib/_stream_readable.js, lib/internal/streams/readable.js)
  std::uint32_t high_water_mark;  // bytes; of both directions
  ReadableGeneration readable_generation;
  bool eof_tells_once;           // 10: the end of file tells nothing when 'readable' is under way
  bool data_needs_listener;      // >= 12: what comes while nobody listens to 'data' passes through the buffer
  bool destroyed_reads_nothing;  // >= 12: a destroyed stream is not read from
  bool error_reads_nothing;      // >= 16: nor one with an error
  EndAfterError end_after_error;
  // writable streams (lib/_stream_writable.js, lib/internal/streams/writable.js)
  bool failed_write_destroys;  // <= 14: a write that fails destroys the socket; since, its stream does
  // >= 14: a stream remembers its first error, writes and finishes no more; destroy() tells it on a tick
  bool keeps_error;
  WriteError write_error;
  bool
      error_fails_writes;  // >= 18: what was not written fails with the stream's own error; before, ERR_STREAM_DESTROYED
  bool no_data_after_error;     // >= 18: once 'error' or 'close' was told, what is read from the buffer is no 'data'
  bool drain_unless_ended;      // >= 12: no 'drain' after end() or destroy()
  bool writes_share_tick;       // >= 12: writes without callback share a tick
  bool write_skips_tick;        // >= 20: a write without callback that succeeds at once needs no tick
  bool written_needs_no_drain;  // >= 20: after a write, what is written already does not count for 'drain'
  bool callbacks_get_null;      // >= 20: callbacks of write() and end() get null when all is well, before no argument
  bool destroy_fails_writes;    // >= 20: destroy() calls what waits for a write or for end(), with an error, on a tick
  WriteBuffer write_buffer;
  bool destroyed_skips_final;  // >= 10: after destroy() _final() is not called
  bool errors_have_codes;      // >= 10: errors of streams and servers are Error [ERR_STREAM_WRITE_AFTER_END] ...
  WriteAfterEnd write_after_end;
  bool ending_refuses_writes;  // >= 10: a write is one after the end while end() is under way, too
  DestroyedWrite destroyed_write;
  FinalCall final_call;
  FinishEvent finish_event;
  EndCallback end_callback;
  // >= 14: end() of a finished or destroyed stream calls back with an error; before, a second is ignored
  bool end_tells_error;
  bool end_gives_error;  // >= 20: that of a stream with an error calls back with that
  // >= 16: end(data) writes by the stream itself; before, by write(), which net.js may have replaced
  bool end_writes_by_itself;
  // lib/net.js
  std::string_view not_running_text;    // what close() of a server that does not listen says
  std::string_view closed_socket_text;  // what a write to a socket without handle says
  bool closed_write_destroys;           // <= 11: such a write destroys the socket; since, it only fails
  bool sides_are_computed;   // >= 14: `readable` and `writable` are read off the streams; before, net.js sets them
  bool tells_ready;          // >= 8: 'ready' after 'connect'
  bool end_reads;            // 4, 6: end() looks for the end of the other side
  bool close_fails_write;    // >= 18: 'close' fails a write that waits for the connection
  bool connect_keeps_ended;  // >= 10: a socket that was ended while connecting is not writable once it is connected
  bool auto_destroy;         // >= 16: sockets are destroyed when both sides have ended, or by an error of theirs
  bool final_waits_if_gone;  // 10 - 20: _final() of a socket without handle waits for 'connect'
  WriteAfterFin write_after_fin;
  SocketEnd socket_end;

  // promises, exceptions
  bool await_wraps;  // 8, 10, 11: await resolves a new promise with its value, which costs two more microtasks
  PromiseFollowing following;
  RejectionPolicy rejection_policy;
  bool exception_immediate_ticks;  // <= 8: the immediate queued after a handled exception runs the ticks itself
  bool double_resolve_ticks;       // 10..18: resolving once more queues the tick that emits 'multipleResolves'
  bool rejection_queues_tick;      // <= 8: an unhandled rejection puts a tick into the queue that runs the microtasks
  // <= 8: rejections are told right after the microtasks, before the ticks that these queued
  bool rejections_before_ticks;
  bool rejections_until_none;  // <= 8: those that a listener brings are told in the same round
  bool late_handlers_tick;   // <= 8: 'rejectionHandled' has a tick of its own; since, it is told before the rejections
  bool late_handlers_warn;   // >= 6: without a listener to it, there is a warning
  bool failed_tick_is_done;  // 4: a tick that throws counts as done; later the next callback sees that there was one
  // >= 20: a batch of rejections is taken as it is, even when one handler handles another of them
  bool rejections_as_snapshot;
  // 11: a handler for a rejection that was not told yet makes Node forget that others wait to be told; they wait for the next drain
  bool handler_hides_rejections;
  bool queue_microtask_warns;  // 11: the first use of queueMicrotask queues a tick, which warns that it is experimental
  bool late_handlers_drain;    // >= 12: after 'rejectionHandled' the queues are emptied once more
  bool drains_after_main_threw;      // >= 12: the main script's ticks run at once although it threw
  std::string_view unhandled_error;  // what emit('error', value) without a listener throws, before "(value)"
  TextShown unhandled_error_text;    // a text as that value
  bool promises_have_tag;            // >= 6: the text of a promise is "[object Promise]", before "[object Object]"
  bool property_error_reading;       // >= 16: "Cannot read properties of undefined (reading 'x')"
  // <= 8: what clearTimeout('text') throws, {} being the text; later it does nothing
  std::string_view clear_text_error;
  CodeAfterException code_after_exception;
  bool exit_code_checked;    // >= 20: process.exitCode and process.exit() throw for what is no integer
  bool exit_takes_any_code;  // >= 20: process.exit(code) sets process.exitCode to any code; before, to true ones and 0
  bool before_exit_gives_int32;  // >= 20: 'beforeExit' listeners are given the code's last 32 bits, before all of it
  // >= 22: process.exitCode, unset by an 'exit' listener, ends with the code there was before
  bool unset_exit_code_is_kept;
};

// One field of a profile, for who compares profiles or makes one from two.
struct ProfileField {
  std::string_view name;                         // "drain_between_timers"
  std::string_view meaning;                      // as docs/profiles.md says it
  std::string (*value)(const Profile& profile);  // "yes", "no", an enumerator, a number, a text in quotes
  bool (*same)(const Profile& a, const Profile& b);
  void (*copy)(Profile& to, const Profile& from);
};
// All fields that change what a program does, in the order of Profile.
[[nodiscard]] std::span<const ProfileField> profile_fields();

// All profiles, oldest first. The default is default_profile().
[[nodiscard]] std::span<const Profile> profiles();
[[nodiscard]] const Profile* find_profile(std::string_view name);  // null: no such name
[[nodiscard]] const Profile& default_profile();                    // node-24

}  // namespace loopsim
