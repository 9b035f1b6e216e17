// The common part of both families of timers: the lists by duration, and the trace of a timer that is armed.
#pragma once

#include <cstdint>

#include "sim/node/context.hpp"
#include "sim/node/timers/lists.hpp"

namespace loopsim::node {

class TimerStore : public Part {
 public:
  TimerStore(const Context& context, Callbacks& callbacks) : Part(context), callbacks_(callbacks) {}

  [[nodiscard]] TimerLists& lists() { return lists_; }

  // A list keeps its timers alive. A timer that is in another list moves.
  void link(std::uint32_t list_index, TimerList& list, std::uint32_t index, TimerObject& timer) {
    ++timer.refs;
    if (is_linked(timer)) unlink(index);
    timer.list = list_index;
    timer.previous = list.tail;
    timer.next = kNone;
    if (list.tail != kNone)
      heap_.timers[list.tail].next = index;
    else
      list.head = index;
    list.tail = index;
  }
  void unlink(std::uint32_t timer);
  [[nodiscard]] static bool is_linked(const TimerObject& timer) { return timer.list != kNone; }
  // Frees it when nothing refers to it and no list holds it.
  void drop(std::uint32_t timer) { heap_.release_timer(timer); }
  void drop(std::uint32_t index, TimerObject& timer) { heap_.release_timer(index, timer); }

  // The timer was armed: gives its callback its number and traces it.
  void announce(TimerObject& timer, ScheduleKind kind) {
    if (machine_.has_costs()) pay_for_arming();
    const std::uint64_t before = timer.id;
    if (kind != ScheduleKind::first) timer.by = callbacks_.running();
    timer.id = callbacks_.next_id();
    if (tracer_.on()) trace_armed(timer, kind, kind == ScheduleKind::first ? 0 : before);
  }
  // The true time at which the loop's clock reads the timer's expiry.
  [[nodiscard]] TimeNs due_time(const TimerObject& timer) const;
  // getLibuvNow: refreshes the loop's time.
  TimeMs libuv_now() {
    loop_.update_time();
    return loop_.now();
  }

 private:
  void pay_for_arming();
  void trace_armed(const TimerObject& timer, ScheduleKind kind, std::uint64_t before);

  Callbacks& callbacks_;
  TimerLists lists_;
};

}  // namespace loopsim::node
