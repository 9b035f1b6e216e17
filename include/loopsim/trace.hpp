// The trace: what the engine tells while a scenario runs.
//
// The engine fills flat Event records and hands them to its sinks in batches; every output format is a sink and several can
// listen to one run. event_table() says, for every kind of event, which of the record's fields it uses and under which key they
// stand in the canonical JSON lines (docs/trace-format.md): writer and reader both work from that one table.
//
// Order: events come in the order in which things happened; `time` never goes back. What became ready while JavaScript was
// running is told when the loop notices it, and carries the earlier time in a field of its own (`at`).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loopsim/time.hpp"

namespace loopsim {

inline constexpr int kTraceFormatVersion = 2;

enum class EventKind : std::uint8_t {
  turn,         // an iteration of the loop begins
  phase_enter,  // only phases in which something happens are told (poll has an event of its own, always)
  phase_exit,
  poll,      // the loop has polled: told when poll returns
  ready,     // a request or handle became ready for its callback
  schedule,  // a callback was asked for; it gets its id here, and only here
  cancel,    // a scheduled callback will not run
  ref,
  unref,
  enqueue,     // something stands in a queue from now on, or in another one than before
  dequeue,     // something of Node's own, or of libuv's, leaves its queue
  work_begin,  // a thread of the pool takes up a request, now
  work_end,    // it is done with it, now; the loop does not know yet
  callback_begin,
  callback_end,
  drain_begin,  // the tick and microtask queues are being emptied (told only when there is something in them)
  drain_end,
  log,        // a line on standard output
  error_log,  // a line on standard error
  burn,       // a cpu or spin step is done
  receive,    // a socket has read what had arrived, or that nothing more comes
  settle,     // a named promise was fulfilled or rejected
  throw_,
  caught,
  uncaught,   // an exception that no handler took
  rejection,  // a rejected promise that nobody handled is being processed
  rejection_handled,
  input,       // the world outside did something: told when the loop's thread notices
  loop_delay,  // the timer of monitorEventLoopDelay() has run
  answer,      // a client of an arrival process has got the end of its connection
  stall,       // the process did not run, or wanted a core and had none: told when it runs again
  limit,       // a limit was reached; the run ends here
  exit,        // the process ends
};

// Where in the loop something happens. The names are those of libuv's and Node's documentation.
enum class Phase : std::uint8_t { main, timers, pending, idle, prepare, poll, check, closing, before_exit, exit };

// What made a callback, under the name a program calls it by.
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
};

// Event::detail, by kind ------------------------------------------------------------------------------------------------------
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
enum class PollWake : std::uint8_t { none, event, timeout };  // Event::detail2: none = did not block and found nothing
enum class LateReason : std::uint8_t {
  none,       // not late
  callback,   // another callback was running when it came due (Event::c: its id)
  main,       // the main script was running
  stall,      // the process did not run
  startup,    // the runtime was still starting
  rounding,   // the loop sleeps and counts in whole milliseconds
  preempted,  // other programs had the cores
  throttled,  // the process had used up its quota of CPU
  wakeup,     // the loop's thread was woken, but did not run yet
  overhead,   // the runtime itself was computing
  order,  // it was due while the loop was on its way to it: another phase or an earlier callback came first (c: its id, or 0)
};
enum class StallReason : std::uint8_t { none, stall, preempted, throttled };  // what held the process
enum class AnswerKind : std::uint8_t { end, reset, refused };                 // how a client's connection ended
enum class CancelReason : std::uint8_t { clear, refresh, settled };           // settled: its promise, the other way
// Where something waits. What schedule() puts where is in api_traits.hpp; all else is told by EventKind::enqueue.
enum class Queue : std::uint8_t {
  timers,      // a list of timers
  immediates,  // of the check phase
  ticks,       // process.nextTick's, and Node's own
  microtasks,  // V8's jobs
  promises,    // a reaction, with a promise that is not settled
  pool,        // a request, at the thread pool: waiting for a thread, or being worked on
  network,     // a request that needs no thread
  writes,      // the callback of write() or end(), with its stream
  ready,       // poll has found it ready; its turn in the poll phase comes
  pending,     // of the pending phase
  closing,     // of the closing phase
};
enum class BurnKind : std::uint8_t { cpu, spin };
enum class CatchKind : std::uint8_t { try_, uncaught_exception, promise };
// The limits of the scenario, and the memory there is for the run.
enum class LimitKind : std::uint8_t { none, time, callbacks, steps, queue, depth, memory };
enum class ExitReason : std::uint8_t { loop_empty, process_exit, uncaught_exception, limit, unsettled_await, signal };
enum class ScheduleKind : std::uint8_t { first, again, refresh };  // again: the next round of an interval
enum class Completion : std::uint8_t { normal, throw_, suspended };
enum class Settlement : std::uint8_t { fulfilled, rejected };

inline constexpr std::uint32_t kNoName = 0xffffffffU;

struct Event {
  std::uint64_t sequence = 0;  // 1, 2, 3 ...
  TimeNs time = 0;             // true time
  TimeMs loop_time = 0;        // the loop's cached time
  std::uint64_t turn = 0;      // 0 before the first turn
  EventKind kind = EventKind::turn;
  Phase phase = Phase::main;
  Api api = Api::none;
  std::uint8_t detail = 0;
  std::uint8_t detail2 = 0;
  std::uint16_t loop = 0;            // which of several loops on one machine
  std::uint32_t name = kNoName;      // index into RunInfo::names
  std::uint64_t id = 0;              // the callback (or promise) concerned
  std::uint64_t by = 0;              // the callback that was running when it was asked for (0: none)
  std::int64_t a = 0, b = 0, c = 0;  // by kind: see event_table()
  std::uint32_t text_offset = 0;     // into EventBatch::text
  std::uint32_t text_size = 0;
  std::uint32_t line = 0;  // of the step in the document, 0: none
};

// It tells only where something waits, or what a thread of the pool does: nothing of the program's happens, and the loop does nothing.
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

// Describes one key of an event's JSON line.
struct FieldInfo {
  enum class Source : std::uint8_t { api, name, id, by, a, b, c, detail, detail2, text, line };
  enum class Type : std::uint8_t { time_ns, time_ms, count, id, word, text, flag };
  std::string_view key;
  Source source;
  Type type;
  std::span<const std::string_view> words;  // for Type::word: the enumeration's names, in order
  bool optional;                            // left out when it is 0 (id, by, line), -1 (a, b, c), kNoName or empty
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

// What holds for the whole run: the header line.
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
  std::string_view program = {};  // the version of loopsim that wrote it, when it was read from a file; empty: this one
};

struct RunSummary {
  ExitReason reason = ExitReason::loop_empty;
  LimitKind limit = LimitKind::none;
  std::int64_t exit_code = 0;
  TimeNs end_time = 0;
  TimeNs poll_time = 0;  // blocked in poll
  std::uint64_t turns = 0;
  std::uint64_t callbacks = 0;  // all that began: timers, immediates, I/O, ticks, microtasks
  std::uint64_t events = 0;
  std::uint64_t steps = 0;  // as the limit counts them; not in the trace, and so 0 where one is read
};

// Valid only during the call.
struct EventBatch {
  std::span<const Event> events;
  std::string_view text;
  // Names to be put behind RunInfo::names before these events are looked at: who reads a trace learns them on the way
  // (trace_reader.hpp), and a program of C++ functions makes them on the way (process.hpp). A scenario's are known when it begins.
  std::span<const std::string> new_names = {};
  [[nodiscard]] std::string_view text_of(const Event& event) const {
    return text.substr(event.text_offset, event.text_size);
  }
};

// Receives a run: begin once, events any number of times, end once. Must not throw.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void begin(const RunInfo& info) = 0;
  virtual void events(const EventBatch& batch) = 0;
  virtual void end(const RunSummary& summary) = 0;
};

// Where a writer's bytes go. The library itself opens no files.
class ByteOutput {
 public:
  virtual ~ByteOutput() = default;
  virtual void write(
      std::string_view bytes) = 0;  // failures are remembered by the implementation and reported at its end
};

class StringOutput final : public ByteOutput {
 public:
  void write(std::string_view bytes) override { text_.append(bytes); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace loopsim
