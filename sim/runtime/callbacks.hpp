// Calls of the program's functions: their numbers, their events in the trace, their maximum number
// (src/api/callback.cc, MakeCallback).
//
// A callback is handed over (hand_over, make), gets its number when it is asked for (announce), and runs (run).
// References: the holder of a Callback owns its context and its arguments, and releases them after its last call.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "loopsim/assert.hpp"

#include "sim/runtime/context.hpp"
#include "sim/runtime/ending.hpp"
#include "sim/runtime/loop_thread.hpp"

namespace loopsim::runtime {

// Of a listener: the lines where it was added, and where its function stands.
struct ListenerLines {
  std::uint32_t added = 0, function = 0;
};

class Callbacks {
 public:
  Callbacks(const Context& context, LoopThread& thread, Ending& ending)
      : limits_(context.limits),
        engine_(context.engine),
        tracer_(context.tracer),
        machine_(context.machine),
        thread_(thread),
        ending_(ending) {}
  Callbacks(const Callbacks&) = delete;
  Callbacks& operator=(const Callbacks&) = delete;

  // True when nothing more may run. Also checks the clock against its limit.
  bool stopping() { return machine_.needs_attention() && ending_.stop_if_over(); }

  [[nodiscard]] std::uint64_t running() const { return running_; }  // number of the callback that is running; 0: none
  void set_running(std::uint64_t id) { running_ = id; }
  [[nodiscard]] std::uint64_t count() const { return callbacks_; }  // begun so far

  // ---- handing over -----------------------------------------------------------------------------------------------------------
  std::uint64_t next_id() { return ++last_id_; }
  // The running callback hands it over. Takes over the references.
  void hand_over(Callback& callback, const Callable& callable) const {
    LOOPSIM_ASSERT(callable.place < places_.size());
    callback.place = callable.place;
    callback.context = callable.context;
    callback.arguments = callable.arguments;
    callback.by = running_;
  }
  // The result of a promisified call.
  [[nodiscard]] Value first_argument(const Callback& callback) const {
    return callback.arguments == kNone ? Value{} : engine_.list(callback.arguments).front();
  }
  [[nodiscard]] Callback make(const Callable& callable) const {
    Callback callback;
    hand_over(callback, callable);
    return callback;
  }
  // Gives the callback its number and traces the request for it. `due`: planned start, in ns; -1: no time is set.
  // `delay`: as requested, in ns, or -1. `handle`: the callback that this one was before (refresh), or 0.
  void announce(Callback& callback, ScheduleKind kind, TimeNs due, TimeNs delay, std::uint64_t handle = 0,
                std::string_view operation = {}) {
    callback.id = next_id();
    if (tracer_.on()) [[unlikely]]
      trace_scheduled(callback, kind, due, delay, handle, operation);
  }
  // The same for a reaction: the numbers of the promise that it waits for, and of the one that settles with its result.
  void announce_reaction(Callback& callback, std::uint64_t promise, std::uint64_t result) {
    callback.id = next_id();
    if (tracer_.on()) [[unlikely]]
      trace_reaction(callback, promise, result);
  }
  void trace_reaction(const Callback& callback, std::uint64_t promise, std::uint64_t result);
  void trace_scheduled(const Callback& callback, ScheduleKind kind, TimeNs due, TimeNs delay, std::uint64_t handle,
                       std::string_view operation);
  void trace_cancel(const Callback& callback, CancelReason reason);
  // Traces its entry into this queue. `operation`: the queued request of it.
  void trace_enqueued(const Callback& callback, Queue queue, std::string_view operation = {}) {
    if (tracer_.on()) trace_queue(callback, queue, operation);
  }
  // Traces a reaction's entry into the microtasks. `value`: what its promise was settled with, as text.
  void trace_reaction_queued(const Callback& callback, bool rejected, std::string_view value);
  // A request: a thread of the pool begins or ends it; the loop has found it done. `operation`: its name, or empty.
  void trace_work(const Callback& callback, bool begins, std::uint32_t thread, std::string_view operation);
  void trace_ready(const Callback& callback, TimeNs at, TimeNs started, std::int32_t thread,
                   std::string_view operation);
  void trace_reference(EventKind kind, const Callback& callback);  // ref, unref

  // ---- running ----------------------------------------------------------------------------------------------------------------
  // Runs it to its end, with its own arguments or, when it has none, with `arguments`. `due`: time of the reported
  // event, in ns, or -1. The result, undefined before, is given with its reference. Flow::threw: the engine holds the
  // exception.
  Flow run(const Callback& callback, std::span<const Value> arguments = {}, TimeNs due = -1, Value* result = nullptr,
           std::string_view operation = {}) {
    if (runs_bare(callback.place)) [[likely]]
      return run_bare(callback.place, callback.context, callback.id);
    return run_framed(callback, arguments, due, result, operation);
  }
  Flow run_framed(const Callback& callback, std::span<const Value> arguments, TimeNs due, Value* result,
                  std::string_view operation);
  // A leaf needs no part of run_framed() without a trace, costs of the machine and a frame around it.
  [[nodiscard]] bool runs_bare(std::uint32_t place) const {
    LOOPSIM_ASSERT(place < places_.size());
    return may_run_bare_ && places_[place].leaf != kNone;
  }
  Flow run_bare(std::uint32_t place, std::uint32_t context, std::uint64_t id) {
    if (!count_one()) return Flow::stop;
    const std::uint64_t outer = running_;
    running_ = id;
    const Flow flow = engine_.run_leaf(place, context);
    running_ = outer;
    return flow;
  }

  // While this lives, events are attributed to callback `id`, although it has returned: its promise is settled.
  class Behind {
   public:
    Behind(Callbacks& callbacks, std::uint64_t id)
        : callbacks_(callbacks), outer_(std::exchange(callbacks.running_, id)) {}
    ~Behind() { callbacks_.running_ = outer_; }
    Behind(const Behind&) = delete;
    Behind& operator=(const Behind&) = delete;

   private:
    Callbacks& callbacks_;
    std::uint64_t outer_;
  };

  // Bookkeeping around a callback that other code runs. begin() is false when a limit stops the run instead.
  bool begin(Api api, std::uint32_t label, std::uint64_t id, std::uint64_t by, TimeNs due,
             std::string_view operation = {}, ListenerLines lines = {}) {
    if (!machine_.is_plain()) wait_for_machine(api);
    if (!count_one()) return false;
    if (tracer_.on()) trace_begun(api, label, id, by, due, operation, lines);
    return true;
  }
  void end(Api api, std::uint32_t label, std::uint64_t id, Completion how);

 private:
  bool count_one() {
    if (stopping()) return false;
    if (++callbacks_ <= limits_.callbacks) [[likely]]
      return true;
    return too_many();
  }
  bool too_many();
  void wait_for_machine(Api api);
  void pay_to_begin(Api api);
  void trace_queue(const Callback& callback, Queue queue, std::string_view operation);
  void trace_begun(Api api, std::uint32_t label, std::uint64_t id, std::uint64_t by, TimeNs due,
                   std::string_view operation, ListenerLines lines);

  const Limits& limits_;
  Engine& engine_;
  Tracer& tracer_;
  Machine& machine_;
  LoopThread& thread_;
  Ending& ending_;
  const std::vector<Place>& places_ = engine_.places();
  const bool may_run_bare_ = !tracer_.on() && machine_.is_plain() && !thread_.warm_up().is_on();
  std::uint64_t last_id_ = 0;
  std::uint64_t running_ = 0;
  std::uint64_t callbacks_ = 0;
};

}  // namespace loopsim::runtime
