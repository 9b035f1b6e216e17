// Earliest Eligible Virtual Deadline First: kernel/sched/fair.c of Linux 6.12.
//
// Whoever has had no more than its share is eligible: its virtual runtime is not above the average. Of the eligible the
// one with the earliest virtual deadline runs, which is its slice after the virtual time at which its last slice ended.
// Once picked it runs until it is no longer eligible or its slice is used up (RUN_TO_PARITY). What somebody is owed,
// its lag, is kept over sleep (PLACE_LAG); who goes to sleep with a debt stays in the queue until it is paid
// (DELAY_DEQUEUE), and gains nothing by staying longer (DELAY_ZERO).
#pragma once

#include "sim/machine/run_queue.hpp"

namespace loopsim {

// The members are those of Cfs, which describes them.
struct Eevdf {
  TimeNs base_slice = 0;
  TimeNs tick = 0;

  bool charge(RunQueue& queue, TimeNs time) const;
  void place(const RunQueue& queue, SchedEntity& entity, Arrival arrival) const;
  void move_away(const RunQueue& /*queue*/, SchedEntity& /*entity*/) const {}
  bool leave(RunQueue& queue, SchedEntity& entity, bool sleeps, bool may_delay) const;
  void left(RunQueue& /*queue*/) const {}
  void wake_delayed(RunQueue& queue, SchedEntity& entity) const;
  void finish_delayed(RunQueue& queue, SchedEntity& entity) const;
  [[nodiscard]] SchedEntity* pick(const RunQueue& queue) const;
  void start(RunQueue& /*queue*/, SchedEntity& entity) const { entity.runs_to_parity = true; }
  bool tick_preempts(RunQueue& /*queue*/, std::uint32_t /*tasks*/) const { return false; }  // charge() says it
  bool wakeup_preempts(RunQueue& queue, SchedEntity& woken) const { return pick(queue) == &woken; }
  void reweight(RunQueue& queue, SchedEntity& entity, std::int64_t weight) const;

 private:
  [[nodiscard]] std::int64_t lag_of(const RunQueue& queue, const SchedEntity& entity) const;
};

}  // namespace loopsim
