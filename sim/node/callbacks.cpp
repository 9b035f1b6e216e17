// Running a callback: limits, the trace around it, and why it was late.
#include <algorithm>

#include "loopsim/api_traits.hpp"

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
constexpr std::size_t kBusyKept = 4096;  // enough to find what ran when anything that now runs came due

// Why a thread that had no core was late.
LateReason reason_of(Held why) {
  switch (why) {
    case Held::preempted: return LateReason::preempted;
    case Held::throttled: return LateReason::throttled;
    default: return LateReason::stall;
  }
}
}  // namespace

// Since `from`, the thread has been busy with this.
void Environment::note_busy(TimeNs from, std::uint64_t id, LateReason reason) {
  if (machine_.now() == from) return;
  if (busy_.size() >= 2 * kBusyKept) busy_.erase(busy_.begin(), busy_.begin() + kBusyKept);
  busy_.push_back({from, machine_.now(), id, reason});
}

// What a promisified call resolves with.
Value Environment::first_argument(const Callback& callback) const {
  return callback.arguments == kNone ? Value{} : heap_.lists[callback.arguments].items.front();
}

void Environment::trace_scheduled(const Callback& callback, ScheduleKind kind, TimeNs due, TimeNs delay,
                                  std::uint64_t handle, std::string_view operation) {
  const Place& place = places_[callback.place];
  Event& event = tracer_.add_text(EventKind::schedule, operation);
  event.api = place.api;
  event.name = place.label;
  event.line = place.line;
  event.id = callback.id;
  event.by = callback.by;
  event.detail = static_cast<std::uint8_t>(kind);
  event.a = due;
  event.b = delay;
  event.c = handle == 0 ? -1 : static_cast<std::int64_t>(handle);
}

void Environment::trace_cancel(const Callback& callback, CancelReason reason) {
  if (!tracer_.on() || callback.place == kNone) return;
  const Place& place = places_[callback.place];
  Event& event = tracer_.add(EventKind::cancel);
  event.api = place.api;
  event.name = place.label;
  event.id = callback.id;
  event.by = running_;
  event.detail = static_cast<std::uint8_t>(reason);
}

void Environment::trace_reference(EventKind kind, const Callback& callback) {
  if (!tracer_.on()) return;
  const Place& place = places_[callback.place];
  Event& event = tracer_.add(kind);
  event.api = place.api;
  event.name = place.label;
  event.id = callback.id;
  event.by = running_;
}

Flow Environment::run_framed(const Callback& callback, std::span<const Value> arguments, TimeNs due, Value* result,
                             std::string_view operation) {
  // All of it is read now: it may be given another id meanwhile (refresh()), or its place to another callback (ticks).
  const std::uint32_t callback_place = callback.place;
  const Place place = places_[callback_place];  // a copy: the callback may bring new ones
  const std::uint64_t id = callback.id;
  const std::uint32_t context = callback.context;
  const std::uint32_t own_arguments = callback.arguments;
  if (!begin_callback(place.api, place.label, id, callback.by, due, operation)) return Flow::stop;
  if (own_arguments != kNone) arguments = heap_.lists[own_arguments].items;
  const std::uint64_t outer = running_;
  const TimeNs from = machine_.now();
  running_ = id;
  const Flow flow = engine_.call(callback_place, context, arguments, result);
  running_ = outer;
  if (tracer_.on()) {
    if (outer == 0) note_busy(from, id, LateReason::callback);
    last_ended_ = id;
    end_callback(place.api, place.label, id, flow == Flow::threw ? Completion::throw_ : Completion::normal);
  }
  return flow;
}

// What the runtime computes before the callback, and until the thread has a core.
void Environment::wait_for_machine(Api api) {
  if (running_ == 0 && machine_.has_costs() && api != Api::main) pay(is_task(api) ? Cost::task : Cost::callback);
  machine_.wait_until_running();
}

bool Environment::too_many_callbacks() {
  --callbacks_;
  halt(LimitKind::callbacks, static_cast<std::int64_t>(limits_.callbacks));
  return false;
}

void Environment::trace_begun(Api api, std::uint32_t label, std::uint64_t id, std::uint64_t by, TimeNs due,
                              std::string_view operation) {
  Event& event = tracer_.add_text(EventKind::callback_begin, operation);
  event.api = api;
  event.name = label;
  event.id = id;
  event.by = by;
  event.a = due;
  event.b = -1;
  event.c = -1;
  if (due >= 0) blame(event, due);
}

void Environment::end_callback(Api api, std::uint32_t label, std::uint64_t id, Completion how) {
  Event& event = tracer_.add(EventKind::callback_end);
  event.api = api;
  event.name = label;
  event.id = id;
  event.detail = static_cast<std::uint8_t>(how);
}

// Fills in how late the callback is, and what kept it.
void Environment::blame(Event& event, TimeNs due) const {
  const TimeNs late = std::max<TimeNs>(machine_.now() - due, 0);
  event.b = late;
  if (late == 0) return;
  auto reason = [&event](LateReason why, std::uint64_t behind) {
    event.detail = static_cast<std::uint8_t>(why);
    if (behind != 0) event.c = static_cast<std::int64_t>(behind);
  };

  if (const Machine::Wait* wait = machine_.wait_at(due)) return reason(reason_of(wait->why), 0);
  // What held the thread at the moment it came due?
  auto after =
      std::upper_bound(busy_.begin(), busy_.end(), due, [](TimeNs time, const Busy& busy) { return time < busy.from; });
  if (after != busy_.begin()) {
    const Busy& busy = *std::prev(after);
    if (due >= busy.from && due < busy.to) return reason(busy.reason, busy.id);
  }
  // The thread was asleep in poll, which counts in whole milliseconds, or on its way from there to running again. What of it
  // took longest?
  if (due >= loop_.last_sleep_from() && due < loop_.last_sleep_to()) {
    const Machine::WakeUp& wake = machine_.last_wake_up();
    const TimeNs rounding = wake.event - due;
    const TimeNs waking = wake.ready - std::max(wake.event, due);
    const TimeNs held = wake.runs - std::max(wake.ready, due);
    const Machine::Wait* wait =
        held > 0 && held >= rounding && held >= waking ? machine_.wait_at(wake.runs - 1) : nullptr;
    if (wait != nullptr) return reason(reason_of(wait->why), 0);
    return reason(waking > rounding ? LateReason::wakeup : LateReason::rounding, 0);
  }
  if (late < kMillisecond && busy_.empty()) return reason(LateReason::rounding, 0);
  return reason(LateReason::order, last_ended_);
}

}  // namespace loopsim::node
