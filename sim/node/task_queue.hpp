// Work between callbacks: process.nextTick's queue, the engine's microtasks, and the checks for rejections
// (lib/internal/process/task_queues.js, TickInfo of src/env.h; src/api/callback.cc, InternalCallbackScope::Close).
#pragma once

#include <cstdint>
#include <span>

#include "loopsim/assert.hpp"

#include "sim/machine/ring_queue.hpp"
#include "sim/node/context.hpp"

namespace loopsim::node {

// An entry of process.nextTick's queue: a callback, or Node's own work.
struct Tick {
  enum class Native : std::uint8_t {
    none,
    microtasks,
    timer_list,
    immediates,
    rejection_handled,
    listening,
    server_closed,
    connect,
    child_spawned,
    child_failed,
    multiple_resolves,
    warning,         // process.emitWarning: a line on standard error that is not traced; but the tick itself counts
    flush_stdio,     // of a child that has ended; it has no streams here, but the tick itself counts
    net_error,       // emits 'error' with `value`
    net_error_once,  // the same, unless emitted already (emitErrorNT of a stream)
    error_close,     // the same, once; then 'close' counts as emitted (emitErrorCloseNT)
    close_told,      // emitCloseNT of a stream
    call_with,       // `callback`, with `value`
    emit_readable,   // emitReadable_
    read_more,       // maybeReadMore_
    resume,          // resume_
    end_readable,    // endReadableNT
    end_writable,    // endWritableNT
    end_own_side,    // onEndNT
    after_write,
    write_error,      // onwriteError, with `value`
    write_callbacks,  // callbacks of a failed write, with `value`
    final_call,       // callFinal
    finish,
    finish_if_done,
    finish_maybe,
    error_buffer,
  };
  Callback callback;
  Native native = Native::none;
  std::uint32_t index = kNone;
#ifdef LOOPSIM_ASSERTIONS
  std::uint32_t generation = 0;  // of what has the index
#endif
  Value value = {};
  std::uint64_t entry = 0;  // in the trace
};

class TaskQueue : public Part {
 public:
  TaskQueue(const Context& context, Callbacks& callbacks) : Part(context), callbacks_(callbacks) {}

  // ---- the ticks ----------------------------------------------------------------------------------------------------------------
  // Takes over the references. In the header, so that the callable is passed on without a copy.
  void next_tick(const Callable& callable) {
    if (ticks_.empty()) pending_ |= kTick;
    Tick& tick = ticks_.emplace();
    callbacks_.hand_over(tick.callback, callable);
    tick.native = Tick::Native::none;
    callbacks_.announce(tick.callback, ScheduleKind::first, -1, -1);
    if (ticks_.size() > limits_.queue) too_long();
  }
  // Takes over the references of the tick. Checks the limit of the queue if it `counts`.
  void queue_native(Tick&& tick, bool counts);
  void queue_native(Tick::Native native, std::uint32_t index);
  void queue_microtask_tick();  // <= 8: a tick that drains the microtasks, unless one is queued
  void note_queue_microtask();  // on use of queueMicrotask()
  // A script has written to standard output or error: a tick tells the stream so. Its place among the ticks shows nowhere, and it is not
  // queued here; but it is a tick.
  void note_output() { pending_ |= kOutput; }
  void note_double_settlement();  // a settled promise was settled again
  // TickInfo::has_rejection_to_warn.
  void set_rejection_to_warn(bool value) { set(kRejection, value); }

  // ---- draining -----------------------------------------------------------------------------------------------------
  // InternalCallbackScope::Close, after a callback of the loop; handles exceptions, which postpone the later ticks.
  Flow close_scope(bool microtasks_first = true) {
    if (stopping()) return Flow::stop;
    return is_empty() ? Flow::normal : empty_queues(microtasks_first);
  }
  // Runs a callback from the loop: its exception is handled, or the queues are drained after it.
  Flow run_from_loop(const Callback& callback, std::span<const Value> arguments, TimeNs due);
  // Whether it is the function that runs the ticks, which is JavaScript, that drains the microtasks.
  [[nodiscard]] bool is_in_ticks() const { return is_in_ticks_; }
  // close_scope(); true when a tick threw.
  bool close_scope_threw();
  // Between two timers or immediates; exceptions go to the caller.
  Flow run_next_ticks() {
    if (stopping()) return Flow::stop;
    return is_empty() ? Flow::normal : empty_queues_between();
  }
  Flow process_ticks_and_rejections();
  void too_long();  // a queue has reached its limit

 private:
  // What waits beside the jobs, in one byte, as it is asked after every callback.
  enum Pending : std::uint8_t {
    kTick = 1,       // TickInfo::has_tick_scheduled
    kOutput = 2,     // a script has written since the ticks last ran out
    kRejection = 4,  // TickInfo::has_rejection_to_warn
  };
  void set(Pending what, bool value) {
    pending_ = static_cast<std::uint8_t>(value ? pending_ | what : pending_ & ~what);
  }
  [[nodiscard]] bool is_empty() const { return !engine_.has_jobs() && pending_ == 0; }
  [[nodiscard]] bool has_ticks() const { return (pending_ & (kTick | kOutput)) != 0; }
  [[nodiscard]] bool has_rejection_to_warn() const { return (pending_ & kRejection) != 0; }
  Flow empty_queues(bool microtasks_first);
  Flow empty_queues_between();
  Flow run_microtasks();  // exceptions are handled one by one
  Flow run_first_tick();
  Flow run_native_tick(const Tick& tick);
  void trace_queued(Tick& tick);
  [[nodiscard]] std::uint32_t name_of(const Tick& tick) const;
#ifdef LOOPSIM_ASSERTIONS
  [[nodiscard]] std::uint32_t generation_of(const Tick& tick) const;
#endif
  void trace_taken(const Tick& tick);

  Callbacks& callbacks_;
  RingQueue<Tick> ticks_;
  std::uint8_t pending_ = 0;
  bool is_in_ticks_ = false;
  bool microtask_warned_ = false;       // queueMicrotask has been used
  bool drain_failed_ = false;           // an exception ended the last close_scope()
  bool microtask_tick_queued_ = false;  // <= 8: microtasksScheduled
};

}  // namespace loopsim::node
