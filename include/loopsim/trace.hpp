// The trace: the events that the engine reports during a run.
//
// The engine fills flat Event records and passes them to its sinks in batches. Every output format is a sink; a run can
// have several. event_table() defines, per kind of event, the fields in use and their keys in the canonical JSON lines
// (docs/trace-format.md). Writer and reader share that table.
//
// Events are in chronological order; `time` never decreases. What became ready while JavaScript was running is reported
// when the loop notices it, with the earlier time in a separate field (`at`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loopsim/assert.hpp"
#include "loopsim/time.hpp"

namespace loopsim {

inline constexpr int kTraceFormatVersion = 2;

enum class EventKind : std::uint8_t {
  turn,         // start of a loop iteration
  phase_enter,  // only for phases in which something happens (a poll always has its own event)
  phase_exit,
  poll,      // the loop has polled; reported when poll returns
  ready,     // a request or handle became ready for its callback
  schedule,  // a callback was scheduled; its id is assigned here, and only here
  cancel,    // a scheduled callback will not run
  ref,
  unref,
  enqueue,     // an entry was added to a queue, or moved to another one
  dequeue,     // an entry of Node or libuv left its queue
  work_begin,  // a pool thread starts a request
  work_end,    // it has finished the request; the loop is not notified yet
  callback_begin,
  callback_end,
  drain_begin,  // the tick and microtask queues are drained (reported only if they are not empty)
  drain_end,
  log,        // a line on standard output
  error_log,  // a line on standard error
  burn,       // a cpu or spin step has finished
  receive,    // a socket has read the bytes that had arrived, or the end of file
  settle,     // a named promise was fulfilled or rejected
  throw_,
  caught,
  uncaught,   // an exception that no handler caught
  rejection,  // an unhandled rejection is processed
  rejection_handled,
  input,       // an outside event; reported when the loop's thread notices it
  loop_delay,  // the timer of monitorEventLoopDelay() has run
  answer,      // the connection of a client of an arrival process has ended
  stall,       // the process did not run, or waited for a core; reported when it runs again
  call,        // of libuv alone: a function was called
  wait,        // of a browser: the thread has slept until something was to do
  frame,       // of a browser: it updates the rendering
  scope,       // steps, if asked for (is_step): code runs in this function and scope from here
  assign,      // a variable has a value
  condition,   // a condition was tested
  promise,     // a named promise was made, or the value it was settled with
  line,        // of JavaScript: a statement begins, or goes on
  leave,       // of JavaScript: a function returns, or an exception ends it
  steps_end,   // the run had too many steps: no more are reported
  limit,       // a limit was reached; the run ends
  exit,        // the process ends
  // of the runtime `io`: a process and its kernel
  syscall,   // a system call begins
  sysret,    // it returns
  spin,      // rounds of calls in vain, told when they begin
  state,     // what the process, or a thread of it, does from here on
  arrive,    // bytes arrive at a socket, or the other side ends
  copy,      // the kernel copies bytes to the process
  wake,      // an arrival wakes the process
  signal,    // what becomes of a signal
  complete,  // an entry of the ring is done
  take,      // the process takes a completion from the ring
  message,   // the process has the last byte of a message
  served,    // the work for it is done
};
inline constexpr std::size_t kEventKinds = static_cast<std::size_t>(EventKind::served) + 1;

// Position in the loop. The names are those of libuv's and Node's documentation.
// A browser's loop has the last three instead: a task, the update of the rendering, an idle period.
enum class Phase : std::uint8_t {
  main,
  timers,
  pending,
  idle,
  prepare,
  poll,
  check,
  closing,
  task,
  rendering,
  idle_period,
  before_exit,
  exit
};

// The API that created a callback, named as in a program.
enum class Api : std::uint8_t {
  none,
  main,
  set_timeout,
  set_interval,
  set_immediate,
  next_tick,
  queue_microtask,
  then,
  catch_,
  finally_,
  await,
  async,
  promise,
  fs,
  dns,
  crypto,
  zlib,
  on,
  function,
  close,
  listen,
  connect,
  spawn,
  write,
  end,
  process_event,
  // libuv alone: the handles and requests of callbacks
  uv_timer,
  uv_idle,
  uv_prepare,
  uv_check,
  uv_async,
  uv_work,
  uv_signal,
  uv_close,
  uv_walk,
  uv_connection,
  uv_connect,
  uv_read,
  uv_write,
  uv_shutdown,
  uv_poll,
  uv_process,
  uv_fs,
  uv_getaddrinfo,
  // a browser
  request_animation_frame,
  request_idle_callback,
  mutation_observer,
  add_event_listener,
  post_message,
  post_task,
  yield_,
  fetch,
  history,
  intersection_observer,
  abort_timeout,
  event_task,  // of an event that the page itself fires in a task: popstate, load ...
};
inline constexpr std::size_t kApis = static_cast<std::size_t>(Api::event_task) + 1;

// ---- Event::detail, by kind -----------------------------------------------------------------------------------------
enum class PollRule : std::uint8_t {
  timer,
  due_timer,
  no_timer,
  stopped,
  nothing_active,
  pending_queue,
  idle_handle,
  closing_handle
};
// Event::detail2; none: nothing found without blocking, or end of the run's time.
enum class PollWake : std::uint8_t { none, event, timeout };
enum class LateReason : std::uint8_t {
  none,       // not late
  callback,   // another callback was running at the due time (Event::c: its id)
  main,       // the main script was running
  stall,      // the process did not run
  startup,    // the runtime was still starting
  rounding,   // the loop sleeps and counts in whole milliseconds
  preempted,  // other programs used the cores
  throttled,  // the process had exhausted its CPU quota
  stolen,     // the hypervisor had the core
  wakeup,     // the loop's thread was woken but did not run yet
  overhead,   // the runtime itself was computing
  order,      // another phase or an earlier callback came first (c: its id, or 0)
};
// Why the process did not run; gc: its thread ran, but not its JavaScript.
enum class StallReason : std::uint8_t { none, stall, preempted, throttled, stolen, gc };
enum class AnswerKind : std::uint8_t { end, reset, refused };  // end of a client's connection
enum class CancelReason : std::uint8_t {
  clear,
  refresh,
  settled,        // the promise settled the other way
  clear_running,  // clear() of a timer whose callback is running: an interval has no further round
};
// What a microtask without a callback of the program does (Event::detail2 of an enqueue).
enum class Job : std::uint8_t {
  none,
  passes_on,  // a reaction without a callback for this outcome: its promise settles in the same way
  follows,    // a promise that was resolved with another one settles as that did
  all,        // takes note of one of the promises of Promise.all()
  all_settled,
  any,
  race,
  finally,  // passes on the outcome that finally() has kept
};
// Where an entry waits. api_traits.hpp maps EventKind::schedule to queues; EventKind::enqueue reports all else.
enum class Queue : std::uint8_t {
  timers,      // a list of timers
  immediates,  // of the check phase
  ticks,       // callbacks of process.nextTick(), and Node's own ticks
  microtasks,  // jobs of V8
  promises,    // reactions of pending promises
  pool,        // requests at the thread pool, queued or on a thread
  network,     // requests that need no thread
  writes,      // callbacks of write() and end(), held by their stream
  ready,       // found ready by poll, to be served in this poll phase
  pending,     // of the pending phase
  closing,     // of the closing phase
  idle,        // active handles, of libuv alone: called in every turn
  prepare,
  check,
  async,  // async handles that were sent
  tasks,  // of a browser: what is ready to run
  delayed_tasks,
  frames,  // what the next frame calls
  idles,   // what the next idle period calls
};
inline constexpr std::size_t kQueues = static_cast<std::size_t>(Queue::idles) + 1;
// What a browser's thread waits for: a task of this source, or a frame.
enum class WaitFor : std::uint8_t { timer, user, message, network, dom, post_task, idle, history, frame };
enum class BurnKind : std::uint8_t { cpu, spin };
enum class CatchKind : std::uint8_t { try_, uncaught_exception, promise };
// The limits of the scenario, and the available memory.
enum class LimitKind : std::uint8_t { none, time, callbacks, steps, queue, depth, memory };
enum class ExitReason : std::uint8_t {
  loop_empty,
  process_exit,
  uncaught_exception,
  limit,
  unsettled_await,
  signal,
  main_returned,  // of libuv alone
};
enum class ScheduleKind : std::uint8_t { first, again, refresh };  // again: the next round of an interval
enum class Completion : std::uint8_t { normal, throw_, suspended };
enum class Settlement : std::uint8_t { fulfilled, rejected };
enum class ScopeStep : std::uint8_t {
  call,    // a function begins
  resume,  // it continues after an await
  back,    // it continues after a call, in a handler of an exception, or after a loop with scopes of its own
  round,   // a round of a loop, which has variables of its own, begins
};
enum class AssignStep : std::uint8_t {
  let,
  set,
  add,
  result,
  parameter,
  loop,
  caught,
  gone,  // of JavaScript: its block has ended
};
enum class ValueKind : std::uint8_t {
  undefined,
  null,
  boolean,
  number,
  string,
  error,
  array,
  promise,
  object,
  bigint,
  symbol,
  function,
  uninitialized,  // declared, but `let` or `const` has not run
};
enum class PromiseStep : std::uint8_t { pending, fulfilled, rejected };

// ---- of the runtime `io` ----
enum class SysCall : std::uint8_t {
  read,
  close,
  fcntl,
  select,
  poll,
  epoll_create1,
  epoll_ctl,
  epoll_wait,
  sigprocmask,
  sigaction,
  sigsuspend,
  sigreturn,
  sigwaitinfo,
  io_uring_setup,
  io_uring_enter,
  clone,
};
enum class ProcessState : std::uint8_t {
  running,    // in its own code, or in the kernel
  blocked,    // in a system call
  computing,  // the work for what it has read
  meanwhile,  // its other work
  handler,    // of a signal
  ended,
};
enum class IoSignal : std::uint8_t { sigio, sigrtmin };
enum class SignalStep : std::uint8_t {
  pending,
  merged,     // one of the kind was pending: they are one
  queued,     // real-time signals are as many as were sent
  delivered,  // its handler begins
  accepted,   // by sigwaitinfo()
  overflow,   // the queue is full: SIGIO instead
};

inline constexpr std::uint32_t kNoName = 0xffffffffU;

struct Event {
  std::uint64_t sequence = 0;  // 1, 2, 3 ...; a step has that of the event before it
  TimeNs time = 0;             // true time
  TimeMs loop_time = 0;        // the loop's cached time
  std::uint64_t turn = 0;      // 0 before the first turn
  EventKind kind = EventKind::turn;
  Phase phase = Phase::main;
  Api api = Api::none;
  std::uint8_t detail = 0;
  std::uint8_t detail2 = 0;
  std::uint16_t loop = 0;        // which of several loops on one machine
  std::uint32_t name = kNoName;  // index into RunInfo::names
  std::uint32_t promise = 0;     // the promise that a reaction waits for; 0: none
  std::uint32_t result = 0;      // the promise that settles with what it returns; 0: none
  // Where a listener that begins was added, and where its function stands: lines, or 0. A saved trace has neither.
  std::uint32_t added_line = 0, function_line = 0;
  std::uint64_t id = 0;              // the callback (or promise) concerned
  std::uint64_t by = 0;              // the callback running when it was scheduled (0: none)
  std::int64_t a = 0, b = 0, c = 0;  // by kind, see event_table()
  std::uint32_t text_offset = 0;     // into EventBatch::text
  std::uint32_t text_size = 0;
  // Of the step, from 1; 0: none. Columns count bytes of a document, UTF-16 code units of a script.
  std::uint32_t line = 0, column = 0;
};

// True for events about queues and pool threads only, in which neither the program nor the loop does anything.
[[nodiscard]] constexpr bool is_about_queues(const Event& event) {
  switch (event.kind) {
    case EventKind::enqueue:
    case EventKind::dequeue:
    case EventKind::work_begin:
    case EventKind::work_end: return true;
    case EventKind::cancel: return event.detail == static_cast<std::uint8_t>(CancelReason::settled);
    default: return false;
  }
}

// True for an enqueue whose text is the value for a reaction, not the kind of an entry.
[[nodiscard]] constexpr bool carries_value(const Event& event) {
  return event.kind == EventKind::enqueue && event.id != 0 && event.api >= Api::then && event.api <= Api::await;
}

// True for steps of the program: reported only by programs compiled for that (CompileOptions::steps). They have the
// sequence number of the event before them, so that all other events have the same number with and without steps.
[[nodiscard]] constexpr bool is_step(EventKind kind) {
  return kind >= EventKind::scope && kind <= EventKind::steps_end;
}
inline constexpr std::size_t kMostStepText = 200;  // bytes of a value in a step; the rest is left out

// Describes one key of an event's JSON line.
struct FieldInfo {
  enum class Source : std::uint8_t {
    api,
    name,
    id,
    by,
    a,
    b,
    c,
    detail,
    detail2,
    text,
    value,  // the text, of a reaction's enqueue
    line,
    column,
    promise,
    result
  };
  enum class Type : std::uint8_t { time_ns, time_ms, count, id, word, text, flag };
  std::string_view key;
  Source source;
  Type type;
  std::span<const std::string_view> words;  // for Type::word: the enumeration's names, in order
  bool optional;  // omitted if 0 (id, by, line, column, promise, result), -1 (a, b, c), false, kNoName or empty
  std::string_view help;
};

struct EventInfo {
  EventKind kind;
  std::string_view name;  // as in the "ev" key
  std::span<const FieldInfo> fields;
  std::string_view help;
};

[[nodiscard]] std::span<const EventInfo> event_table();  // in the order of EventKind
[[nodiscard]] std::string_view to_string(EventKind kind);
[[nodiscard]] std::string_view to_string(Phase phase);
[[nodiscard]] std::string_view to_string(Api api);  // "setTimeout", "process.nextTick" is "nextTick" ...
[[nodiscard]] std::string_view to_string(LimitKind kind);
[[nodiscard]] std::string_view to_string(ExitReason reason);

// Facts about the whole run: the header line.
struct RunInfo {
  std::string_view title;
  std::string_view runtime;  // profile name
  std::string_view libuv;    // libuv version of the profile
  std::string_view entry;    // "commonjs" or "module"
  std::string_view machine;
  std::uint32_t threadpool = 4;
  std::uint64_t seed = 0;
  TimeNs clock_phase = 0;
  std::span<const std::pair<std::string, std::string>> params;  // name, JSON text
  std::span<const std::string> names;                           // Event::name
  std::string_view program = {};  // the version of loopsim that wrote the trace, when read from a file; empty: this one
};

struct RunSummary {
  ExitReason reason = ExitReason::loop_empty;
  LimitKind limit = LimitKind::none;
  std::int64_t exit_code = 0;
  TimeNs end_time = 0;
  TimeNs poll_time = 0;  // blocked in poll
  std::uint64_t turns = 0;
  std::uint64_t callbacks = 0;  // begun: timers, immediates, I/O, ticks, microtasks
  std::uint64_t events = 0;
  std::uint64_t steps = 0;  // as the limit counts them; not part of the trace, so 0 when read from one
  // For people, of the exception that ended a program in JavaScript: a name that it uses and this version of Node, or
  // loopsim, lacks. Not part of the trace either.
  std::string advice;
  // Of a program in JavaScript that the limit of steps stopped: where it was then, as "app.js:3". Empty: it is not known.
  std::string place;
};

// Valid only during the call.
struct EventBatch {
  std::span<const Event> events;
  std::string_view text;
  // Names to append to RunInfo::names before these events are processed. TraceReader (trace_reader.hpp) and Process
  // (process.hpp) discover names during the run; those of a scenario are all known at begin().
  std::span<const std::string> new_names = {};
  [[nodiscard]] std::string_view text_of(const Event& event) const {
    LOOPSIM_ASSERT(event.text_offset <= text.size() && event.text_size <= text.size() - event.text_offset);
    return text.substr(event.text_offset, event.text_size);
  }
};

// Receives a run: begin() once, events() any number of times, end() once. Must not throw, except std::bad_alloc, after
// which it is not called again.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void begin(const RunInfo& info) = 0;
  virtual void events(const EventBatch& batch) = 0;
  virtual void end(const RunSummary& summary) = 0;
};

// Destination of a writer's bytes. The library itself opens no files.
class ByteOutput {
 public:
  virtual ~ByteOutput() = default;
  virtual void write(
      std::string_view bytes) = 0;  // failures: kept by the implementation, which reports them at its end
};

class StringOutput final : public ByteOutput {
 public:
  void write(std::string_view bytes) override { text_.append(bytes); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace loopsim
