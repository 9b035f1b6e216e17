#include "sim/node/timers/store.hpp"

#include <algorithm>

#include "sim/node/environment.hpp"

namespace loopsim::node {

TimeNs TimerStore::due_time(const TimerObject& timer) const {
  const auto whole = static_cast<TimeMs>(timer.idle_timeout);
  return std::max<TimeNs>((timer.idle_start + whole) * kMillisecond - machine_.clock_phase(), 0);
}

void TimerStore::pay_for_arming() { env_.thread.pay(Cost::timer); }

void TimerStore::trace_armed(const TimerObject& timer, ScheduleKind kind, std::uint64_t before) {
  const auto delay = static_cast<TimeNs>(timer.idle_timeout * static_cast<double>(kMillisecond));
  callbacks_.trace_scheduled(heap_.callback_of(timer), kind, due_time(timer), delay, before, {});
}

void TimerStore::unlink(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (!is_linked(timer)) return;
  TimerList& list = lists_[timer.list];
  if (timer.previous != kNone)
    heap_.timers[timer.previous].next = timer.next;
  else
    list.head = timer.next;
  if (timer.next != kNone)
    heap_.timers[timer.next].previous = timer.previous;
  else
    list.tail = timer.previous;
  timer.list = timer.next = timer.previous = kNone;
  drop(index);
}

}  // namespace loopsim::node
