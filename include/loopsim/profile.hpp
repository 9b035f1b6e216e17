// Differences between versions of Node (and their libuv), as data. The loop and the Node layer read these fields; no
// other code checks the version. Sources per field: docs/profiles.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "loopsim/browser.hpp"
#include "loopsim/libuv.hpp"

namespace loopsim {

// What runs the program. A verb of the language belongs to one of them, to all, or (`javascript`) to Node and to browsers.
enum class Family : std::uint8_t { any, node, libuv, browser, io, javascript };

// Implementation of Node's timers.
enum class TimerModel : std::uint8_t {
  handle_per_list,  // <= 10: one uv_timer_t per duration (lib/timers.js, TimerWrap)
  single_handle,    // >= 11: a single uv_timer_t, lists in a priority queue (lib/internal/timers.js)
};

// Start of the delay of setInterval's next round.
enum class IntervalStart : std::uint8_t {
  after_callback,   // <= 8: from the end of the callback
  before_callback,  // >= 10: from the loop time read just before the callback
};

// Resumption of timers after a handled exception (lib/timers.js, tryOnTimeout; src/env.cc, RunTimers).
enum class TimersAfterThrow : std::uint8_t {
  tick,        // 4: a tick continues the list
  list_ticks,  // 6, 8: the same; lists of longer timers that become due before it wait for their own ticks
  at_once,     // >= 10: the pass restarts at once
};

// Delay for which a list is re-armed when its first timer is found not to be due (lib/timers.js, listOnTimeout).
enum class ListRearm : std::uint8_t {
  from_pass_start,  // 4: the time left at the start of the pass; the duration of earlier callbacks counts twice
  may_be_zero,      // 6, 8: the time left now; if 0, the list runs in the same pass
  at_least_one,     // >= 10: the time left now, at least 1 ms
};

// Resumption of a batch of immediates after one has thrown (lib/timers.js, processImmediate).
enum class ImmediatesAfterThrow : std::uint8_t {
  tick,  // <= 8: a tick runs the rest, and those queued behind it
  rest,  // 10: the phase runs the rest; those queued meanwhile only if the rest throws too
  all,   // >= 11: the phase runs the rest, or, if there is none, those queued meanwhile
};

// The exit code after an uncaught exception (src/node.cc, src/node_errors.cc, TriggerUncaughtException).
enum class CodeAfterException : std::uint8_t {
  one,        // <= 8: 1, which process.exitCode does not become
  int32_set,  // 10 - 18: process.exitCode as set by 'exit' listeners, if it is an Int32
  any,        // >= 20: process.exitCode as set by them
};

// Consequence of an unhandled rejection.
enum class RejectionPolicy : std::uint8_t {
  silent,  // 4: nothing is printed
  warn,    // 6 - 14: a warning on stderr, exit code unchanged
  raise,   // >= 15: raised as an uncaught exception
};

// Resolving a promise with a promise (ECMAScript 27.2.1.3.2, and older V8).
enum class PromiseFollowing : std::uint8_t {
  standard,        // a separate job calls its then(): two microtasks more than for a plain value
  adopts_settled,  // 8: adopts the state of a settled promise at once
  stores,          // 4: stores the promise as the value; reactions wait for it
};

// Trigger of a socket's shutdown after end(), once all data is written (lib/net.js, lib/_stream_writable.js).
enum class FinalCall : std::uint8_t {
  on_finish,  // 4, 6: a listener of 'finish'
  tick,       // 8 - 14: _final(), on a tick
  at_once,    // >= 16: _final(), synchronously
};

// Emission of 'finish'.
enum class FinishEvent : std::uint8_t {
  at_once,    // 4 - 12: synchronously
  counted,    // 14: on a tick if end() itself finds all done
  rechecked,  // 16: the same, if all is still done after _final(), which emits it on a tick
  on_tick,    // >= 18: the same, if it still is when that tick runs; never after destroy()
};

// Invocation of the callback of end().
enum class EndCallback : std::uint8_t {
  finish_listener,  // 4 - 12: as a listener of 'finish'; not if the socket was already ended
  error_listener,   // 14: also as a listener of 'error', before the others
  list,             // >= 16: from a list, before the listeners of 'finish'
};

// A write after the peer has ended, without allowHalfOpen (lib/net.js, writeAfterFIN).
enum class WriteAfterFin : std::uint8_t {
  emits,     // 4 - 11: 'error', synchronously
  ticks,     // 12, 14: 'error', on a tick
  destroys,  // >= 16: the socket is destroyed with the error, if it was also ended locally
};

// A write to the stream of a destroyed socket.
enum class DestroyedWrite : std::uint8_t {
  tried,    // <= 8: passed to the socket, which no longer has a handle
  fails,    // 10 - 12: fails with ERR_STREAM_DESTROYED; writes queued behind a completed one are not written
  refused,  // >= 14: no write; its callback gets ERR_STREAM_DESTROYED on a tick
};

// A write after end() (lib/_stream_writable.js, writeAfterEnd; lib/internal/streams/writable.js, _write).
enum class WriteAfterEnd : std::uint8_t {
  at_once,         // <= 12: 'error' synchronously, then the callback on a tick
  after_callback,  // >= 14: the callback on a tick, then the error on another tick, or by destroy()
};

// A failed write (onwriteError).
enum class WriteError : std::uint8_t {
  at_once,          // <= 6: 'error' synchronously; if the write fails at once, its callback follows on a tick
  finish_follows,   // 8 - 12: the same, and 'finish' may follow
  after_callbacks,  // >= 14: the callback, then the error by errorOrDestroy(); both on one tick if it fails at once
};

// Buffer of a writable stream for writes behind the current one.
enum class WriteBuffer : std::uint8_t {
  list,  // <= 12: a linked list; each of several combined writes counts as pending until its callback runs
  // >= 14: an array; several combined writes count as one; a write in progress stays in it and delays 'finish'; if a
  // write fails, or completes after destroy(), all entries fail (errorBuffer)
  array,
};

// When a readable stream emits data and when it requests more. Changed by the rewrite of the 'readable' event in Node
// 10, and by the state flags in 20 (lib/_stream_readable.js, lib/internal/streams/readable.js).
enum class ReadableGeneration : std::uint8_t {
  // <= 8: awaited data starts the flow synchronously; read(0) follows each unbuffered 'data'; the tick that requests
  // more does nothing while flowing; every read() that returns nothing requests more, even above the high-water mark
  at_once,
  // 10 - 18: a tick starts the flow; no read(0); that tick reads while the buffer is empty; read() requests more if
  // there is room
  on_tick,
  // >= 20: the same, but the request (state.needReadable) is not reset before 'readable' is emitted
  flags,
};

// Formatting of a text within an error's message: plain, or as by util.inspect (lib/internal/util/inspect.js,
// strEscape()).
enum class TextShown : std::uint8_t {
  plain,           // <= 8
  single_quotes,   // 10: in single quotes, with the escapes of JSON
  fitting_quotes,  // 11, 12: in a kind of quotes that it does not contain, if possible
  hex_escapes,     // >= 14: the same; control characters, also those above 0x7F, as \xNN
};

// How a socket is destroyed after both sides have ended (lib/net.js).
enum class SocketEnd : std::uint8_t {
  socket_end_event,  // 4 - 8: by a separate event, '_socketEnd', before 'end'
  maybe_destroy,     // 10, 11: by a listener of 'end' that ends the local side, and destroys
  own_side,          // 12, 14: the same; destroyed when the local side is shut down
  stream,            // >= 16: by the streams themselves (autoDestroy)
};

// Whether 'end' is emitted after an error (lib/_stream_readable.js, endReadableNT).
enum class EndAfterError : std::uint8_t {
  yes,          // 4 - 12
  unless_told,  // 14, 16: not after 'error' or 'close' has been emitted
  no,           // >= 18
};

// The rest of a batch after an immediate clears itself and the next one, or clears itself and throws.
enum class LostImmediates : std::uint8_t {
  none,          // it runs
  forgotten,     // 6: it never runs
  still_counted  // 8: it never runs, but still counts as active: the loop never ends
};

struct Profile {
  Family family;
  std::string_view name;     // "node-24"
  int major;                 // 24
  std::string_view version;  // of the measured binary, "24.21.0"
  LibuvProfile libuv;        // of that binary
  std::string_view note;     // one line: changes in this version

  // the loop
  // >= 12 (UV_METRICS_IDLE_TIME): a poll that may block first polls without blocking, which refreshes the time
  bool poll_looks_first;
  bool first_poll_wakes;   // 8, 12, 14: V8's heap work during startup wakes the first poll at once
  bool first_wake_drains;  // 14: this is a task in its own scope, whose end drains ticks and microtasks

  // life cycle
  bool runs_loop_once;  // <= 6: Node calls uv_run(ONCE) for every turn, which runs timers a second time at its end
  // 12 - 20: an ES module's body runs in the loop, in the completion of the read of its file
  bool module_runs_in_poll;
  // Microtasks between an exception of an ES module's body and its 'uncaughtException', due to the loader's async
  // functions; one more if the module awaits.
  std::uint8_t module_error_hops;
  bool exit_tells_unsettled;  // >= 22: 'exit' listeners get code 13 if a top-level await never settled
  bool whole_file_requests;   // 26: readFile and writeFile are one request to the pool

  // timers
  TimerModel timer_model;
  IntervalStart interval_start;
  ListRearm list_rearm;
  TimersAfterThrow timers_after_throw;
  bool thrown_unref_timer_closes;  // >= 10: an unref'd timer is closed even if it has thrown
  bool unref_timer_reads_clock;    // >= 10: an unref'd timer reads the clock before its callback, which moves loop time
  // 4: a list is its libuv timer, which is closed after the list has run, even if unref() has assigned it to a timer
  // meanwhile
  bool list_is_handle;
  bool emptied_list_closes;     // 8: a list left empty by an exception is closed at once
  bool fired_timer_loses_ref;   // 11: refresh() of a fired or cleared timer makes it unreferenced
  bool drain_between_timers;    // drain ticks and microtasks between two timers of a pass (>= 11)
  bool clear_ends_fired_timer;  // 11: a fired timer can be cleared; then refresh() does not arm it
  bool long_delay_warns;        // >= 10: a delay of more than 2^31 - 1 ms causes a warning, which queues a tick
  bool odd_delay_warns;         // >= 24: so do the first negative delay and the first NaN
  bool refresh_reads_clock;     // 11: refresh() of a cleared timer reads libuv's clock, which moves the loop time

  // immediates
  bool drain_between_immediates;  // the same between two immediates of a batch (>= 11)
  ImmediatesAfterThrow immediates_after_throw;
  LostImmediates lost_immediates;
  bool immediates_have_ref;      // >= 10: immediates have ref() and unref()
  bool cleared_immediate_turns;  // 8: only the next check phase stops the idle handle, which costs one more turn
  bool check_drains_first;       // 12 - 24: the queues are drained at the start of every check phase

  // child processes and signals
  bool child_tells_spawn;      // >= 14.17: a child process emits 'spawn' once started
  bool signal_gives_its_name;  // >= 8: listeners of a signal get its name

  // network
  bool listen_error_explains;  // >= 10: "listen EADDRINUSE: address already in use :::80"; before, without the reason

  // sockets (src/stream_base.cc)
  bool gone_write_succeeds;  // 11: a failed write reports success if the socket was destroyed meanwhile
  bool writev_is_late;       // <= 6: never tries to write several buffers synchronously; completion calls JavaScript
  // readable streams (lib/_stream_readable.js, lib/internal/streams/readable.js)
  std::uint32_t high_water_mark;  // bytes, in both directions
  ReadableGeneration readable_generation;
  bool eof_tells_once;           // 10: the end of file emits nothing while 'readable' is scheduled
  bool data_needs_listener;      // >= 12: without a 'data' listener, data passes through the buffer
  bool destroyed_reads_nothing;  // >= 12: no read from a destroyed stream
  bool error_reads_nothing;      // >= 16: no read from a stream with an error
  EndAfterError end_after_error;
  // writable streams (lib/_stream_writable.js, lib/internal/streams/writable.js)
  bool failed_write_destroys;  // <= 14: a failed write destroys the socket; since, its stream does
  // >= 14: a stream keeps its first error, and no longer writes or finishes; destroy() emits the error on a tick
  bool keeps_error;
  WriteError write_error;
  bool error_fails_writes;      // >= 18: unwritten data fails with the stream's error; before, ERR_STREAM_DESTROYED
  bool no_data_after_error;     // >= 18: after 'error' or 'close', reads from the buffer emit no 'data'
  bool drain_unless_ended;      // >= 12: no 'drain' after end() or destroy()
  bool writes_share_tick;       // >= 12: writes without a callback share a tick
  bool write_skips_tick;        // >= 20: a write without a callback that succeeds at once needs no tick
  bool written_needs_no_drain;  // >= 20: data written synchronously by write() does not count for 'drain'
  bool callbacks_get_null;      // >= 20: callbacks of write() and end() get null on success; before, no argument
  bool destroy_fails_writes;    // >= 20: destroy() fails pending callbacks of write() and end(), on a tick
  WriteBuffer write_buffer;
  bool destroyed_skips_final;  // >= 10: no _final() after destroy()
  bool errors_have_codes;  // >= 10: errors of streams and servers have codes: Error [ERR_STREAM_WRITE_AFTER_END] ...
  WriteAfterEnd write_after_end;
  bool ending_refuses_writes;  // >= 10: a write during end() is also a write after the end
  DestroyedWrite destroyed_write;
  FinalCall final_call;
  FinishEvent finish_event;
  EndCallback end_callback;
  // >= 14: end() of a finished or destroyed stream calls back with an error; before, a second end() is ignored
  bool end_tells_error;
  bool end_gives_error;  // >= 20: end() of a stream with an error calls back with that error
  // >= 16: end(data) writes directly; before, by write(), which net.js may have replaced
  bool end_writes_by_itself;
  // lib/net.js
  std::string_view not_running_text;    // error message of close() of a server that does not listen
  std::string_view closed_socket_text;  // error message of a write to a socket without a handle
  bool closed_write_destroys;           // <= 11: such a write destroys the socket; since, it only fails
  bool sides_are_computed;   // >= 14: `readable` and `writable` are computed from the streams; before, net.js sets them
  bool tells_ready;          // >= 8: 'ready' after 'connect'
  bool end_reads;            // 4, 6: end() reads, to find the peer's end
  bool close_fails_write;    // >= 18: 'close' fails a write that waits for the connection
  bool connect_keeps_ended;  // >= 10: a socket ended while connecting is not writable once connected
  bool auto_destroy;         // >= 16: sockets are destroyed when both sides have ended, or on an error
  bool final_waits_if_gone;  // 10 - 20: _final() of a socket without a handle waits for 'connect'
  WriteAfterFin write_after_fin;
  SocketEnd socket_end;

  // promises, exceptions
  bool await_wraps;  // 8, 10, 11: await wraps its value in a new promise, which costs two more microtasks
  PromiseFollowing following;
  RejectionPolicy rejection_policy;
  bool exception_has_origin;       // 10, >= 12: listeners of 'uncaughtException' are told where it comes from
  bool exception_immediate_ticks;  // <= 8: the immediate queued after a handled exception runs the ticks itself
  bool double_resolve_ticks;       // 10 - 18: resolving again queues the tick that emits 'multipleResolves'
  bool rejection_queues_tick;      // <= 8: an unhandled rejection queues a tick, which runs the microtasks
  // <= 8: rejections are reported right after the microtasks, before the ticks queued by these
  bool rejections_before_ticks;
  bool rejections_until_none;  // <= 8: rejections caused by a listener are reported in the same round
  bool late_handlers_tick;     // <= 8: 'rejectionHandled' has its own tick; since, it is emitted before the rejections
  bool late_handlers_warn;     // >= 6: a warning if 'rejectionHandled' has no listener
  bool failed_tick_is_done;    // 4: a tick that throws counts as done; since, as pending: the next callback drains
  // >= 20: a batch of rejections is fixed, even if a listener handles another one in it
  bool rejections_as_snapshot;
  // 11: a handler for an unreported rejection resets the flag for the others, which wait for the next drain
  bool handler_hides_rejections;
  bool queue_microtask_warns;  // 11: the first use of queueMicrotask queues a tick, which warns that it is experimental
  bool late_handlers_drain;    // >= 12: another drain of the queues after 'rejectionHandled'
  bool drains_after_main_threw;      // >= 12: the main script's ticks run at once even if it threw
  std::string_view unhandled_error;  // error message of emit('error', value) without a listener, before "(value)"
  TextShown unhandled_error_text;    // formatting of that value if it is a text
  bool promises_have_tag;            // >= 6: the text of a promise is "[object Promise]"; before, "[object Object]"
  bool property_error_reading;       // >= 16: "Cannot read properties of undefined (reading 'x')"
  // <= 8: error message of clearTimeout('text'), with {} for the text; empty: it does nothing
  std::string_view clear_text_error;
  CodeAfterException code_after_exception;
  bool exit_code_checked;        // >= 20: process.exitCode and process.exit() throw for non-integers
  bool exit_takes_any_code;      // >= 20: process.exit(code) sets any process.exitCode; before, truthy ones and 0
  bool before_exit_gives_int32;  // >= 20: 'beforeExit' listeners get the code's low 32 bits; before, all of it
  bool exit_gives_int32;  // >= 22: 'exit' listeners get those of process.exit(), too; before, the value that was set
  // >= 22: if an 'exit' listener unsets process.exitCode, the previous code is used
  bool unset_exit_code_is_kept;

  BrowserProfile browser;  // of Family::browser, which has nothing of the rest but name, major, version and note
};

// A field of a profile, for comparing and merging profiles.
struct ProfileField {
  std::string_view name;                         // "drain_between_timers"
  std::string_view meaning;                      // as in docs/profiles.md
  std::string (*value)(const Profile& profile);  // "yes", "no", an enumerator, a number, a text in quotes
  bool (*same)(const Profile& a, const Profile& b);
  void (*copy)(Profile& to, const Profile& from);
};
// All fields that affect a program's behaviour, in the order of Profile.
[[nodiscard]] std::span<const ProfileField> profile_fields();

// The first major version that runs ES modules; before, import() is rejected (lib/internal/modules/esm).
inline constexpr int kFirstWithModules = 12;

// All versions of Node, oldest first.
[[nodiscard]] std::span<const Profile> profiles();
// libuv alone, oldest first: `major` is the minor version (of 1.x), and of the rest only name, version, note and libuv count.
[[nodiscard]] std::span<const Profile> libuv_runtimes();
// Browsers: `major` is the version.
[[nodiscard]] std::span<const Profile> browsers();
// `io`, which has no versions: of its profile only name, version and note count.
[[nodiscard]] std::span<const Profile> io_runtimes();
// The versions of the family.
[[nodiscard]] std::span<const Profile> runtimes_of(Family family);
// Whether timers stand in a list for each length in whole milliseconds. Before Node 11 each exact length has its list:
// 2 and 2.5 ms are two (lib/timers.js, `lists[msecs]`; lib/internal/timers.js, insert()).
[[nodiscard]] constexpr bool has_whole_lists(const Profile& profile) {
  return profile.timer_model == TimerModel::single_handle;
}
[[nodiscard]] const Profile* find_profile(std::string_view name);  // of any family; null: no such name
[[nodiscard]] const Profile& default_profile();                    // node-24

}  // namespace loopsim
