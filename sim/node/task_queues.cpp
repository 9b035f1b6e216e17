// What runs between callbacks: process.nextTick, microtasks, and the processing of rejections
// (lib/internal/process/task_queues.js; src/api/callback.cc, InternalCallbackScope::Close).
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
// Tells the trace that the queues are being emptied, if there is anything in them.
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

// The end of a callback made by the loop. An exception in a tick is dealt with here, and postpones the ticks behind it.
Flow Environment::empty_queues(bool microtasks_first) {
  DrainScope scope(tracer_, ticks_.size(), engine_.jobs());
  // Where handlers hide rejections, the main script's end asks for them, too; older ones take what there is.
  if (microtasks_first || (profile_.handler_hides_rejections && !rejection_to_warn_)) {
    if (!tick_scheduled_ && run_microtasks() == Flow::stop) return Flow::stop;
    if (!tick_scheduled_ && !rejection_to_warn_) return Flow::normal;
  }
  if (process_ticks_and_rejections() == Flow::threw) {
    drain_failed_ = true;
    handle_uncaught(false);
  }
  return stopping() ? Flow::stop : Flow::normal;
}

Flow Environment::empty_queues_between() {
  DrainScope scope(tracer_, ticks_.size(), engine_.jobs());
  if (!tick_scheduled_ && !rejection_to_warn_ && run_microtasks() == Flow::stop) return Flow::stop;
  if (!tick_scheduled_ && !rejection_to_warn_) return Flow::normal;
  return process_ticks_and_rejections();
}

// All ticks, then all microtasks, again until both are empty; then the rejections, which may bring more of either.
Flow Environment::process_ticks_and_rejections() {
  for (;;) {
    while (!ticks_.empty()) {
      if (const Flow flow = run_first_tick(); flow != Flow::normal) {
        if (profile_.failed_tick_is_done) tick_scheduled_ = !ticks_.empty();
        return flow;
      }
    }
    tick_scheduled_ = false;  // tickDone()
    if (run_microtasks() == Flow::stop) return Flow::stop;
    if (!ticks_.empty() && !profile_.rejections_before_ticks) continue;
    bool more = false;
    if (const Flow flow = process_rejections(more); flow != Flow::normal) return flow;
    // In Node 10 and 11 a tick of a 'rejectionHandled' listener waits for the next drain.
    if (!more && (ticks_.empty() || !profile_.rejections_before_ticks)) break;
  }
  tick_scheduled_ = !ticks_.empty();
  rejection_to_warn_ = false;
  return Flow::normal;
}

// V8's queue: runs until it is empty, whatever is thrown.
Flow Environment::run_microtasks() {
  while (engine_.has_jobs()) {
    if (!engine_.count_step()) return engine_.out_of_steps();
    Flow flow = engine_.run_job();
    if (flow == Flow::threw) flow = handle_uncaught(false);
    if (flow == Flow::stop) return Flow::stop;
  }
  return stopping() ? Flow::stop : Flow::normal;
}

void Environment::next_tick(const Callable& callable) {
  if (ticks_.empty()) tick_scheduled_ = true;
  Tick& tick = ticks_.emplace();
  set_callback(tick.callback, callable);
  tick.native = Tick::Native::none;
  announce(tick.callback, ScheduleKind::first, -1, -1);
  if (ticks_.size() > limits_.queue) too_long_a_queue();
}

void Environment::note_queue_microtask() {
  if (profile_.queue_microtask_warns && !std::exchange(microtask_warned_, true) && !exiting_)
    queue_native_tick(Tick::Native::warning, kNone);
}

void Environment::queue_native_tick(Tick::Native native, std::uint32_t index) {
  if (ticks_.empty()) tick_scheduled_ = true;
  Tick tick;
  tick.native = native;
  tick.index = index;
  ticks_.push(tick);
}

Flow Environment::run_first_tick() {
  if (ticks_.front().native != Tick::Native::none) return run_native_tick(ticks_.pop());
  const Callback& first = ticks_.front().callback;
  const std::uint32_t scope = first.context;
  const std::uint32_t arguments = first.arguments;
  ticks_.drop();
  const Flow flow = run_callback(first);  // it is read before another tick can take its place
  heap_.release_scope(scope);
  if (arguments != kNone) heap_.release(Value::object(Tag::list, arguments));
  return flow;
}

Flow Environment::run_native_tick(const Tick& tick) {
  switch (tick.native) {
    case Tick::Native::timer_list: return legacy_list_tick(tick.index);
    case Tick::Native::immediates: return process_immediates_inside();
    case Tick::Native::rejection_handled: {
      const Flow flow = process_handled_rejection(tick.index);
      heap_.release_promise(tick.index);
      return flow;
    }
    case Tick::Native::child_spawned:
    case Tick::Native::child_failed: return run_child_tick(tick);
    case Tick::Native::multiple_resolves:
    case Tick::Native::warning:
    case Tick::Native::flush_stdio: return Flow::normal;
    case Tick::Native::microtasks: break;
    default: return run_net_tick(tick);
  }
  microtask_tick_queued_ = false;
  if (run_microtasks() == Flow::stop) return Flow::stop;
  bool more = false;
  if (ticks_.empty()) {
    if (const Flow flow = process_rejections(more); flow != Flow::normal) return flow;
  }
  if ((more || !ticks_.empty()) && !microtask_tick_queued_) {
    microtask_tick_queued_ = true;
    queue_native_tick(Tick::Native::microtasks, kNone);
  }
  return Flow::normal;
}

// resolveError() of lib/internal/process/promises.js: nobody listens to 'multipleResolves', but the tick is there.
void Environment::resolved_twice() {
  if (profile_.double_resolve_ticks && !exiting_) queue_native_tick(Tick::Native::multiple_resolves, kNone);
}

void Environment::stop_for_steps() { halt(LimitKind::steps, static_cast<std::int64_t>(limits_.steps)); }

void Environment::too_long_a_queue() { halt(LimitKind::queue, static_cast<std::int64_t>(limits_.queue)); }

// A failed callback is not followed by a drain: its ticks and microtasks wait for the next callback.
Flow Environment::make_callback_from_loop(const Callback& callback, std::span<const Value> arguments, TimeNs due) {
  Flow flow = run_callback(callback, arguments, due);
  if (flow == Flow::threw) return handle_uncaught(false);
  if (flow == Flow::stop) return flow;
  return close_scope();
}

}  // namespace loopsim::node
