#include "sim/node/task_queue.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
// Node's names, by Tick::Native.
constexpr std::array<std::string_view, static_cast<std::size_t>(Tick::Native::error_buffer) + 1> kTickNames = {
    "",
    "runMicrotasks",
    "listOnTimeoutNT",
    "processImmediate",
    "rejectionHandled",
    "emitListeningNT",
    "emitCloseNT",
    "connect",
    "onSpawnNT",
    "onErrorNT",
    "multipleResolves",
    "emitWarning",
    "flushStdio",
    "emitErrorNT",
    "emitErrorNT",
    "emitErrorCloseNT",
    "emitCloseNT",
    "callback",
    "emitReadable_",
    "maybeReadMore_",
    "resume_",
    "endReadableNT",
    "endWritableNT",
    "onEndNT",
    "afterWrite",
    "onwriteError",
    "onwriteError",
    "callFinal",
    "finish",
    "finish",
    "finishMaybe",
    "errorBuffer"};

// Traces the drain of the queues, unless they are empty.
class DrainScope {
 public:
  DrainScope(Tracer& tracer, std::size_t ticks, std::size_t microtasks)
      : tracer_(tracer), told_(tracer.on() && ticks + microtasks != 0) {
    if (!told_) return;
    Event& event = tracer_.add(EventKind::drain_begin);
    event.a = static_cast<std::int64_t>(ticks);
    event.b = static_cast<std::int64_t>(microtasks);
  }
  ~DrainScope() {
    if (told_) tracer_.add(EventKind::drain_end);
  }
  DrainScope(const DrainScope&) = delete;
  DrainScope& operator=(const DrainScope&) = delete;

 private:
  Tracer& tracer_;
  bool told_;
};
}  // namespace

// The end of a callback from the loop. Handles an exception in a tick, which postpones the later ticks.
Flow TaskQueue::empty_queues(bool microtasks_first) {
  DrainScope scope(tracer_, ticks_.size(), engine_.jobs());
  // Versions in which handlers hide rejections check here after the main script, too; older ones always drain.
  if (microtasks_first || (profile_.handler_hides_rejections && !has_rejection_to_warn())) {
    if (!has_ticks() && run_microtasks() == Flow::stop) return Flow::stop;
    if (pending_ == 0) return Flow::normal;
  }
  if (process_ticks_and_rejections() == Flow::threw) {
    drain_failed_ = true;
    env_.exit.handle_uncaught(false);
  }
  return stopping() ? Flow::stop : Flow::normal;
}

Flow TaskQueue::empty_queues_between() {
  DrainScope scope(tracer_, ticks_.size(), engine_.jobs());
  if (pending_ == 0 && run_microtasks() == Flow::stop) return Flow::stop;
  if (pending_ == 0) return Flow::normal;
  return process_ticks_and_rejections();
}

// A failed callback is not followed by a drain: its ticks and microtasks wait for the next callback.
Flow TaskQueue::run_from_loop(const Callback& callback, std::span<const Value> arguments, TimeNs due) {
  const Flow flow = callbacks_.run(callback, arguments, due);
  if (flow == Flow::threw) return env_.exit.handle_uncaught(false);
  if (flow == Flow::stop) return flow;
  return close_scope();
}

bool TaskQueue::close_scope_threw() {
  drain_failed_ = false;
  close_scope();
  return drain_failed_;
}

// All ticks, then all microtasks, again until both are empty; then the rejections, which may add more of either.
Flow TaskQueue::process_ticks_and_rejections() {
  for (;;) {
    while (!ticks_.empty()) {
      if (const Flow flow = run_first_tick(); flow != Flow::normal) {
        if (profile_.failed_tick_is_done) set(kTick, !ticks_.empty());
        return flow;
      }
    }
    set(kTick, false);  // tickDone()
    set(kOutput, false);
    is_in_ticks_ = true;
    const Flow ran = run_microtasks();
    is_in_ticks_ = false;
    if (ran == Flow::stop) return Flow::stop;
    if (!ticks_.empty() && !profile_.rejections_before_ticks) continue;
    bool more = false;
    if (const Flow flow = env_.rejections.process(more); flow != Flow::normal) return flow;
    // Until Node 8 ticks alone begin another round: microtasks of a listener wait where no tick for them was asked for, as with rejections
    // that another listener's exception has left. In Node 10 and 11 a tick of a 'rejectionHandled' listener waits for the next drain.
    if (profile_.rejections_before_ticks ? ticks_.empty() && (pending_ & kOutput) == 0 : !more) break;
  }
  set(kTick, !ticks_.empty());
  set(kRejection, false);
  return Flow::normal;
}

// V8's queue: runs until it is empty, despite exceptions.
Flow TaskQueue::run_microtasks() {
  while (engine_.has_jobs()) {
    if (!engine_.count_step()) return engine_.out_of_steps();
    Flow flow = engine_.run_job();
    if (flow == Flow::threw) flow = env_.exit.handle_uncaught(false);
    if (flow == Flow::stop) return Flow::stop;
  }
  return stopping() ? Flow::stop : Flow::normal;
}

void TaskQueue::note_queue_microtask() {
  if (profile_.queue_microtask_warns && !engine_.owns_process() && !std::exchange(microtask_warned_, true) &&
      !env_.exit.is_exiting())
    queue_native(Tick::Native::warning, kNone);
}

void TaskQueue::queue_native(Tick&& tick, bool counts) {
  if (ticks_.empty()) pending_ |= kTick;
#ifdef LOOPSIM_ASSERTIONS
  tick.generation = generation_of(tick);
#endif
  if (tracer_.on()) trace_queued(tick);
  ticks_.push(tick);
  if (counts && ticks_.size() > limits_.queue) too_long();
}

void TaskQueue::queue_native(Tick::Native native, std::uint32_t index) {
  Tick tick;
  tick.native = native;
  tick.index = index;
  queue_native(std::move(tick), false);
}

void TaskQueue::queue_microtask_tick() {
  if (microtask_tick_queued_) return;
  microtask_tick_queued_ = true;
  queue_native(Tick::Native::microtasks, kNone);
}

Flow TaskQueue::run_first_tick() {
  if (ticks_.front().native != Tick::Native::none) return run_native_tick(ticks_.pop());
  const Callback& first = ticks_.front().callback;
  const std::uint32_t scope = first.context;
  const std::uint32_t arguments = first.arguments;
  ticks_.drop();
  const Flow flow = callbacks_.run(first);  // run() reads it before another tick can take its place
  heap_.release_scope(scope);
  if (arguments != kNone) heap_.release(Value::object(Tag::list, arguments));
  return flow;
}

// The callback identifies a tick; for a tick without one, the trace has a number, its owner's name and the function.
void TaskQueue::trace_queued(Tick& tick) {
  if (tick.callback.place != kNone) return callbacks_.trace_enqueued(tick.callback, Queue::ticks);
  tick.entry = tracer_.enqueue(Queue::ticks, name_of(tick), kTickNames[static_cast<std::size_t>(tick.native)],
                               callbacks_.running());
}

void TaskQueue::trace_taken(const Tick& tick) {
  tracer_.dequeue(Queue::ticks, tick.entry, name_of(tick), kTickNames[static_cast<std::size_t>(tick.native)]);
}

std::uint32_t TaskQueue::name_of(const Tick& tick) const {
  switch (tick.native) {
    case Tick::Native::none:
    case Tick::Native::microtasks:
    case Tick::Native::timer_list:
    case Tick::Native::immediates:
    case Tick::Native::rejection_handled:
    case Tick::Native::multiple_resolves:
    case Tick::Native::warning: return kNoName;
    case Tick::Native::child_spawned:
    case Tick::Native::child_failed:
    case Tick::Native::flush_stdio: return heap_.emitters[heap_.children[tick.index].emitter].label;
    default: return env_.net_handles.label_of(tick.index);
  }
}

#ifdef LOOPSIM_ASSERTIONS
std::uint32_t TaskQueue::generation_of(const Tick& tick) const {
  switch (tick.native) {
    case Tick::Native::none:
    case Tick::Native::microtasks:
    case Tick::Native::timer_list:  // pinned
    case Tick::Native::immediates:
    case Tick::Native::multiple_resolves:
    case Tick::Native::warning: return 0;
    case Tick::Native::rejection_handled: return heap_.promises.generation_of(tick.index);
    case Tick::Native::child_spawned:
    case Tick::Native::child_failed:
    case Tick::Native::flush_stdio: return heap_.children.generation_of(tick.index);
    default: return heap_.nets.generation_of(tick.index);
  }
}
#endif

Flow TaskQueue::run_native_tick(const Tick& tick) {
  LOOPSIM_ASSERT(generation_of(tick) == tick.generation);
  if (tick.entry != 0) trace_taken(tick);
  switch (tick.native) {
    case Tick::Native::timer_list: return env_.timers.per_list().list_tick(tick.index);
    case Tick::Native::immediates: return env_.immediates.process_inside();
    case Tick::Native::rejection_handled: {
      const Flow flow = env_.rejections.process_handled(tick.index);
      heap_.release_promise(tick.index);
      return flow;
    }
    case Tick::Native::child_spawned:
    case Tick::Native::child_failed:
    case Tick::Native::flush_stdio: return env_.children.run_tick(tick);
    case Tick::Native::multiple_resolves:
    case Tick::Native::warning: return Flow::normal;
    case Tick::Native::microtasks: break;
    default: return env_.net_events.run_tick(tick);
  }
  microtask_tick_queued_ = false;
  if (run_microtasks() == Flow::stop) return Flow::stop;
  bool more = false;
  if (ticks_.empty()) {
    if (const Flow flow = env_.rejections.process(more); flow != Flow::normal) return flow;
  }
  if (more || !ticks_.empty()) queue_microtask_tick();
  return Flow::normal;
}

// resolveError() of lib/internal/process/promises.js: 'multipleResolves' has no listener, but the tick runs.
void TaskQueue::note_double_settlement() {
  if (profile_.double_resolve_ticks && !env_.exit.is_exiting()) queue_native(Tick::Native::multiple_resolves, kNone);
}

void TaskQueue::too_long() { env_.ending.halt_for_queue(); }

}  // namespace loopsim::node
