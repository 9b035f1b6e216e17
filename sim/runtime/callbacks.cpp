#include "sim/runtime/callbacks.hpp"

#include "loopsim/api_traits.hpp"
#include "loopsim/assert.hpp"

namespace loopsim::runtime {

void Callbacks::trace_scheduled(const Callback& callback, ScheduleKind kind, TimeNs due, TimeNs delay,
                                std::uint64_t handle, std::string_view operation) {
  LOOPSIM_ASSERT(callback.place < places_.size() && callback.id != 0);
  const Place& place = places_[callback.place];
  Event& event = tracer_.add_text(EventKind::schedule, operation);
  event.api = place.api;
  event.name = place.label;
  event.line = place.line;
  event.column = place.column;
  event.id = callback.id;
  event.by = callback.by;
  event.detail = static_cast<std::uint8_t>(kind);
  event.a = due;
  event.b = delay;
  event.c = handle == 0 ? -1 : static_cast<std::int64_t>(handle);
}

void Callbacks::trace_reaction(const Callback& callback, std::uint64_t promise, std::uint64_t result) {
  trace_scheduled(callback, ScheduleKind::first, -1, -1, 0, {});
  tracer_.last().promise = promise_number(promise);
  tracer_.last().result = promise_number(result);
}

void Callbacks::trace_reaction_queued(const Callback& callback, bool rejected, std::string_view value) {
  trace_queue(callback, Queue::microtasks, value);
  tracer_.last().b = rejected ? 1 : 0;
}

void Callbacks::trace_cancel(const Callback& callback, CancelReason reason) {
  if (!tracer_.on() || callback.place == kNone) return;
  const Place& place = places_[callback.place];
  Event& event = tracer_.add(EventKind::cancel);
  event.api = place.api;
  event.name = place.label;
  event.id = callback.id;
  event.by = running_;
  event.detail = static_cast<std::uint8_t>(reason);
}

void Callbacks::trace_queue(const Callback& callback, Queue queue, std::string_view operation) {
  const Place& place = places_[callback.place];
  Event& event = tracer_.add_text(EventKind::enqueue, operation);
  event.detail = static_cast<std::uint8_t>(queue);
  event.api = place.api;
  event.name = place.label;
  event.id = callback.id;
  event.by = running_;
  event.a = -1;
}

void Callbacks::trace_work(const Callback& callback, bool begins, std::uint32_t thread, std::string_view operation) {
  if (!tracer_.on()) return;
  const Place& place = places_[callback.place];
  Event& event = tracer_.add_text(begins ? EventKind::work_begin : EventKind::work_end, operation);
  event.api = place.api;
  event.name = place.label;
  event.id = callback.id;
  event.c = thread;
}

void Callbacks::trace_ready(const Callback& callback, TimeNs at, TimeNs started, std::int32_t thread,
                            std::string_view operation) {
  if (!tracer_.on()) return;
  const Place& place = places_[callback.place];
  Event& event = tracer_.add_text(EventKind::ready, operation);
  event.api = place.api;
  event.name = place.label;
  event.id = callback.id;
  event.a = at;
  event.b = started;
  event.c = thread;
}

void Callbacks::trace_reference(EventKind kind, const Callback& callback) {
  if (!tracer_.on()) return;
  const Place& place = places_[callback.place];
  Event& event = tracer_.add(kind);
  event.api = place.api;
  event.name = place.label;
  event.id = callback.id;
  event.by = running_;
}

Flow Callbacks::run_framed(const Callback& callback, std::span<const Value> arguments, TimeNs due, Value* result,
                           std::string_view operation) {
  // All fields are read now: its id may change meanwhile (refresh()), or its storage go to another callback (ticks).
  const std::uint32_t callback_place = callback.place;
  LOOPSIM_ASSERT(callback_place < places_.size());
  const Place place = places_[callback_place];  // a copy: the callback may add places
  const std::uint64_t id = callback.id;
  const std::uint32_t context = callback.context;
  const std::uint32_t own_arguments = callback.arguments;
  if (!begin(place.api, place.label, id, callback.by, due, operation, {place.line, 0})) return Flow::stop;
  if (own_arguments != kNone) arguments = engine_.list(own_arguments);
  const std::uint64_t outer = running_;
  const TimeNs from = machine_.now();
  running_ = id;
  const bool warms_up = thread_.warm_up().is_on();
  const std::int64_t outer_warmth = warms_up ? thread_.warm_up().begin(place.label) : 0;
  const Flow flow = engine_.call(callback_place, context, arguments, result);
  if (warms_up) thread_.warm_up().end(outer_warmth);
  running_ = outer;
  if (tracer_.on()) {
    if (outer == 0) thread_.note_busy(from, id, LateReason::callback);
    thread_.note_ended(id);
    end(place.api, place.label, id, flow == Flow::threw ? Completion::throw_ : Completion::normal);
  }
  return flow;
}

// The runtime's own computation before the callback, and the wait for a core.
void Callbacks::wait_for_machine(Api api) {
  if (running_ == 0 && machine_.has_costs() && api != Api::main) pay_to_begin(api);
  machine_.wait_until_running();
}

void Callbacks::pay_to_begin(Api api) {
  if (is_task(api)) return thread_.pay(Cost::task);
  thread_.warm_caches();
  thread_.pay(Cost::callback);
}

bool Callbacks::too_many() {
  --callbacks_;
  ending_.halt(LimitKind::callbacks, static_cast<std::int64_t>(limits_.callbacks));
  return false;
}

void Callbacks::trace_begun(Api api, std::uint32_t label, std::uint64_t id, std::uint64_t by, TimeNs due,
                            std::string_view operation, ListenerLines lines) {
  Event& event = tracer_.add_text(EventKind::callback_begin, operation);
  if (is_listener(api)) {
    event.added_line = lines.added;
    event.function_line = lines.function;
  }
  event.api = api;
  event.name = label;
  event.id = id;
  event.by = by;
  event.a = due;
  event.b = -1;
  event.c = -1;
  if (due >= 0) thread_.blame(event, due);
}

void Callbacks::end(Api api, std::uint32_t label, std::uint64_t id, Completion how) {
  Event& event = tracer_.add(EventKind::callback_end);
  event.api = api;
  event.name = label;
  event.id = id;
  event.detail = static_cast<std::uint8_t>(how);
}

}  // namespace loopsim::runtime
