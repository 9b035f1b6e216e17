#include "sim/machine/bandwidth.hpp"

#include <algorithm>

namespace loopsim {

namespace {
constexpr TimeNs kKept = kMillisecond;             // min_cfs_rq_runtime
constexpr TimeNs kSlackPeriod = 5 * kMillisecond;  // cfs_bandwidth_slack_period
constexpr TimeNs kTooLate = 2 * kMillisecond;  // min_bandwidth_expiration: so near to the next period it does not pay
}  // namespace

Bandwidth::Bandwidth(const QuotaSpec& quota, TimeNs portion, std::uint32_t cores)
    : quota_(quota.quota),
      period_(quota.period),
      portion_(portion),
      pool_(quota.quota),
      period_ends_(quota.quota == 0 ? kNever : quota.period) {
  throttled_.reserve(cores);
}

// __assign_cfs_rq_runtime()
bool Bandwidth::take(RunQueue& queue, TimeNs target) {
  const TimeNs taken = std::min(pool_, target - queue.runtime);
  pool_ -= taken;
  queue.runtime += taken;
  return queue.runtime > 0;
}

// account_cfs_rq_runtime()
bool Bandwidth::charge(RunQueue& queue, TimeNs time) {
  queue.runtime -= time;
  return queue.runtime > 0 || take(queue, portion_);
}

// throttle_cfs_rq()
bool Bandwidth::throttle(RunQueue& queue) {
  if (take(queue, 1)) return false;
  queue.is_throttled = true;
  throttled_.push_back(&queue);
  return true;
}

// return_cfs_rq_runtime()
void Bandwidth::give_back(RunQueue& queue, TimeNs now) {
  const TimeNs slack = queue.runtime - kKept;
  if (slack <= 0) return;
  queue.runtime -= slack;
  pool_ += slack;
  const bool pays = pool_ > portion_ && !throttled_.empty() && period_ends_ - now >= kSlackPeriod + kTooLate;
  if (pays && slack_at_ == kNever) slack_at_ = now + kSlackPeriod;
}

TimeNs Bandwidth::next_change(bool is_used) const {
  return std::min(slack_at_, is_used || !throttled_.empty() ? period_ends_ : kNever);
}

}  // namespace loopsim
