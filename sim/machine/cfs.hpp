// The Completely Fair Scheduler: kernel/sched/fair.c of Linux 6.5, the last version with it.
//
// The thread with the least virtual runtime runs. It goes on until the tick finds that it has had its slice, which is
// its share of `latency`, or until one wakes up that is behind by more than `wakeup_granularity`. Who has slept is put
// half a `latency` before the others at most (GENTLE_FAIR_SLEEPERS).
#pragma once

#include "sim/machine/run_queue.hpp"

namespace loopsim {

struct Cfs {
  TimeNs latency = 0;
  TimeNs min_granularity = 0;
  TimeNs wakeup_granularity = 0;

  // The running one has computed for `time`. True: somebody else may be due.
  bool charge(RunQueue& queue, TimeNs time) const;
  // Sets the virtual runtime of one that comes into the queue, before RunQueue::add().
  void place(const RunQueue& queue, SchedEntity& entity, Arrival arrival) const;
  // Called before the entity leaves for another core's queue, or wakes up there.
  void move_away(const RunQueue& queue, SchedEntity& entity) const { entity.vruntime -= queue.min_vruntime; }
  // Called before RunQueue::remove(). False: it stays, and only looks asleep (eevdf).
  bool leave(RunQueue& queue, SchedEntity& entity, bool sleeps, bool may_delay) const;
  // Called after RunQueue::remove().
  void left(RunQueue& queue) const { raise_min_vruntime(queue); }
  void wake_delayed(RunQueue&, SchedEntity&) const {}
  void finish_delayed(RunQueue&, SchedEntity&) const {}
  // The next to run, which may be the running one; null: the queue is empty.
  [[nodiscard]] SchedEntity* pick(const RunQueue& queue) const;
  // It has been picked, and did not run before.
  void start(RunQueue& queue, SchedEntity& entity) const;
  // Does the tick take the core from the running one? `tasks`: runnable threads of the core, of all groups.
  bool tick_preempts(RunQueue& queue, std::uint32_t tasks) const;
  // Does one that came into the queue take the core from the running one? May mark it as the next.
  bool wakeup_preempts(RunQueue& queue, SchedEntity& woken) const;
  void reweight(RunQueue& queue, SchedEntity& entity, std::int64_t weight) const;

 private:
  static void raise_min_vruntime(RunQueue& queue);
  [[nodiscard]] TimeNs slice(const RunQueue& queue, std::uint32_t tasks) const;
  [[nodiscard]] int preempts(const SchedEntity& running, const SchedEntity& other) const;
};

}  // namespace loopsim
