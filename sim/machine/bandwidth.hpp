// A group's quota as the kernel keeps it: kernel/sched/fair.c of Linux 6.1 to 6.12.
//
// Every period fills a pool with the quota. A core takes portions of 5 ms from it (sched_cfs_bandwidth_slice), and pays
// with them for what the group's threads have computed. That is looked at when the core accounts: at its ticks and
// switches, so that a group can use up to a tick more than it has, which the next period pays for. A core that has
// nothing left, and gets nothing from the pool, throttles the group. What it has left when the group sleeps goes back,
// but for 1 ms. Portions do not expire (since Linux 5.4).
#pragma once

#include <vector>

#include "loopsim/scenario.hpp"

#include "sim/machine/run_queue.hpp"

namespace loopsim {

class Bandwidth {
 public:
  Bandwidth(const QuotaSpec& quota, TimeNs portion, std::uint32_t cores);

  [[nodiscard]] bool is_limited() const { return quota_ != 0; }
  // The core has computed for `time`. False: it has nothing left.
  bool charge(RunQueue& queue, TimeNs time);
  // May the group run on this core?
  bool has_runtime(RunQueue& queue) { return !is_limited() || charge(queue, 0); }
  // Last attempt to go on; if it fails, the queue is throttled.
  bool throttle(RunQueue& queue);
  // The group's last thread on this core sleeps.
  void give_back(RunQueue& queue, TimeNs now);

  // The next time at which advance() has something to do. `is_used`: some thread of the group is runnable.
  [[nodiscard]] TimeNs next_change(bool is_used) const;
  // Begins periods, and hands out what the pool has to queues that are throttled. Calls `unthrottle` for each that may
  // go on. Returns whether anything changed.
  template <class Unthrottle>
  bool advance(TimeNs now, Unthrottle unthrottle);

 private:
  bool take(RunQueue& queue, TimeNs target);

  TimeNs quota_, period_, portion_;
  TimeNs pool_;
  TimeNs period_ends_;
  TimeNs slack_at_ = kNever;          // when to hand out what was given back
  std::vector<RunQueue*> throttled_;  // in order of time
};

template <class Unthrottle>
bool Bandwidth::advance(TimeNs now, Unthrottle unthrottle) {
  const bool is_new_period = period_ends_ <= now;
  if (!is_new_period && slack_at_ > now) return false;
  if (is_new_period) {
    period_ends_ += ((now - period_ends_) / period_ + 1) * period_;
    pool_ = quota_;
  }
  slack_at_ = kNever;
  // distribute_cfs_runtime()
  std::size_t kept = 0;
  for (RunQueue* queue : throttled_) {
    const TimeNs given = std::min(1 - queue->runtime, pool_);
    pool_ -= given;
    queue->runtime += given;
    if (queue->runtime > 0) {
      queue->is_throttled = false;
      unthrottle(*queue);
    } else {
      throttled_[kept++] = queue;
    }
  }
  throttled_.resize(kept);
  return true;
}

}  // namespace loopsim
