#include "sim/runtime/loop_thread.hpp"

#include <algorithm>

namespace loopsim::runtime {

namespace {
constexpr std::size_t kBusyKept = 4096;  // enough to find the busy interval at any callback's due time

// The reason for a wait without a core.
LateReason reason_of(Held why) {
  switch (why) {
    case Held::preempted: return LateReason::preempted;
    case Held::throttled: return LateReason::throttled;
    case Held::stolen: return LateReason::stolen;
    default: return LateReason::stall;
  }
}
}  // namespace

// The thread was busy with this since `from`.
void LoopThread::note_busy(TimeNs from, std::uint64_t id, LateReason reason) {
  if (machine_.now() == from) return;
  if (busy_.size() >= 2 * kBusyKept) busy_.erase(busy_.begin(), busy_.begin() + kBusyKept);
  busy_.push_back({from, machine_.now(), id, reason});
}

// Fills in the lateness of the callback, and its reason.
void LoopThread::blame(Event& event, TimeNs due) const {
  const TimeNs late = std::max<TimeNs>(machine_.now() - due, 0);
  event.b = late;
  if (late == 0) return;
  auto reason = [&event](LateReason why, std::uint64_t behind) {
    event.detail = static_cast<std::uint8_t>(why);
    if (behind != 0) event.c = static_cast<std::int64_t>(behind);
  };

  if (const Machine::Wait* wait = machine_.wait_at(due)) return reason(reason_of(wait->why), 0);
  // The thread's work at the due time.
  auto after =
      std::upper_bound(busy_.begin(), busy_.end(), due, [](TimeNs time, const Busy& busy) { return time < busy.from; });
  if (after != busy_.begin()) {
    const Busy& busy = *std::prev(after);
    if (due >= busy.from && due < busy.to) return reason(busy.reason, busy.id);
  }
  // The thread was asleep in poll, which counts in whole milliseconds, or was waking up. The longest part of that is
  // the reason.
  const LoopHost::Sleep sleep = host_.last_sleep(host_.self);
  if (due >= sleep.from && due < sleep.to) {
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

TimeNs LoopThread::compute(TimeNs amount) { return use(warm_up_.is_on() ? warm_up_.scaled(amount) : amount); }

TimeNs LoopThread::use(TimeNs amount) {
  if (!collector_.is_on()) {
    machine_.cpu(amount, death());
    return amount;
  }
  TimeNs used = amount;
  while (amount > 0 && !machine_.needs_attention()) {
    const TimeNs before = collector_.before_next(amount);
    machine_.cpu(before, death());
    amount -= before;
    const TimeNs pause = collector_.collect_if_full(before);
    if (pause != 0) collect(pause);
    used += pause;
  }
  return used;
}

void LoopThread::collect(TimeNs pause) {
  const TimeNs from = machine_.now();
  machine_.cpu(pause, death());
  if (!tracer_.on()) return;
  Event& event = tracer_.add(EventKind::stall);
  event.a = from;
  event.b = machine_.now() - from;
  event.detail = static_cast<std::uint8_t>(StallReason::gc);
}

void LoopThread::spin_until(TimeNs time) { machine_.spin_until(time, death()); }

void LoopThread::pay(Cost cost) {
  const TimeNs amount = machine_.draw_cost(cost);
  if (amount == 0 || ending_.stopping()) return;
  const TimeNs from = machine_.now();
  use(amount);
  notice_time();
  if (tracer_.on()) note_busy(from, 0, LateReason::overhead);
}

void LoopThread::warm_caches() {
  if (machine_.now() - warm_at_ >= kColdAfter) pay(Cost::cold);
  warm_at_ = machine_.now();
}

bool LoopThread::pay_for_log() {
  const TimeNs amount = machine_.draw_cost(has_logged_ ? Cost::log : Cost::first_log);
  has_logged_ = true;
  if (amount == 0) return true;
  use(amount);
  notice_time();
  return !ending_.stopping();  // the clock may have reached its limit
}

}  // namespace loopsim::runtime
