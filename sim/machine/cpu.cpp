#include "sim/machine/cpu.hpp"

#include <algorithm>

#include "sim/machine/scheduler.hpp"

namespace loopsim {

namespace {
constexpr std::uint64_t kMillion = 1'000'000;
constexpr int kCyclesBefore = 32;         // cycles of the load before the process starts
constexpr int kMostChangesBefore = 4096;  // per thread; bounds long-tailed distributions

// The time at which `amount` is complete at numerator/denominator per ns, rounded up.
TimeNs time_for(Work amount, Work numerator, Work denominator, TimeNs now) {
  if (amount <= 0) return now;
  const Work time = (amount * denominator + numerator - 1) / numerator;
  return time >= static_cast<Work>(kNever - now) ? kNever : now + static_cast<TimeNs>(time);
}
}  // namespace

Cpu::Cpu(const MachineSpec& spec, std::uint32_t threads, std::uint64_t seed)
    : spec_(spec), cores_(spec.cores == 0 ? threads : spec.cores) {
  const bool has_load = spec.load.kind != LoadSpec::Kind::none;
  is_plain_ = cores_ >= threads && !has_load && spec.quota.quota == 0 && spec.stalls.empty() &&
              spec.speed_ppm == kMillion && !spec.steal.is_there();
  if (is_plain_) return;
  if (spec.scheduler.policy != SchedulerSpec::Policy::sharing) {
    scheduler_ = std::make_unique<Scheduler>(spec, cores_, threads, seed, changes_);
    return;
  }
  if (has_load) begin_load(seed);
  if (spec.quota.quota != 0) {
    quota_left_ = work_of(spec.quota.quota);
    period_ends_ = spec.quota.period;
  }
  move_to(0);
}

Cpu::~Cpu() = default;

void Cpu::begin_load(std::uint64_t seed) {
  const LoadSpec& load = spec_.load;
  const std::uint32_t threads = load.threads == 0 ? cores_ : load.threads;
  if (load.kind == LoadSpec::Kind::periodic) {
    // All threads are synchronous: one entry for all. The first window may start before the process.
    load_.resize(1);
    const TimeNs before = load.offset % load.every;
    load_[0].until = before - load.every;
  } else {
    load_.resize(threads);
    const TimeNs cycle =
        std::min(mean_of(load.busy), kMaxDuration / 128) + std::min(mean_of(load.idle), kMaxDuration / 128);
    for (std::uint32_t i = 0; i < threads; ++i) {
      Other& other = load_[i];
      other.busy = Sampler(load.busy, seed, MachineStream::load, 2 * i);
      other.idle = Sampler(load.idle, seed, MachineStream::load, 2 * i + 1);
      // Starts long before the process, at a random point of the cycle, so that the load is in its steady state.
      const auto shift = static_cast<TimeNs>(other.idle.uniform() * static_cast<double>(cycle));
      other.until = -(kCyclesBefore * cycle) - shift;
      for (int change = 0; other.until <= 0 && change < kMostChangesBefore; ++change) change_load(other);
      other.until = std::max<TimeNs>(other.until, 1);
      if (other.wants) ++others_;
    }
  }
  load_changes_ = std::ranges::min_element(load_, {}, &Other::until)->until;
}

// Toggles `wants` and sets the time of the next change.
void Cpu::change_load(Other& other) {
  const LoadSpec& load = spec_.load;
  other.wants = !other.wants;
  ++changes_;
  if (load.kind == LoadSpec::Kind::periodic)
    other.until += other.wants ? load.busy.a : load.every - load.busy.a;
  else
    other.until += std::max<TimeNs>((other.wants ? other.busy : other.idle).draw(), 1);
}

void Cpu::move_to(TimeNs now) {
  while (load_changes_ <= now) {
    const LoadSpec& load = spec_.load;
    load_changes_ = kNever;
    others_ = 0;
    for (Other& other : load_) {
      while (other.until <= now) change_load(other);
      if (other.wants) ++others_;
      load_changes_ = std::min(load_changes_, other.until);
    }
    if (load.kind == LoadSpec::Kind::periodic && others_ != 0) others_ = load.threads == 0 ? cores_ : load.threads;
  }
  if (is_stalled_ && now >= last_stall().at + last_stall().length) is_stalled_ = false;
  while (!is_stalled_ && next_stall_ < spec_.stalls.size() && spec_.stalls[next_stall_].at <= now) {
    const Stall& stall = spec_.stalls[next_stall_++];
    is_stalled_ = now < stall.at + stall.length;
    ++changes_;
  }
  if (period_ends_ <= now) {
    const TimeNs periods = (now - period_ends_) / spec_.quota.period + 1;
    period_ends_ += periods * spec_.quota.period;
    quota_left_ = work_of(spec_.quota.quota);
    is_throttled_ = false;
    ++changes_;
  }
}

TimeNs Cpu::next_change() const {
  TimeNs next = load_changes_;
  if (is_stalled_)
    next = std::min(next, last_stall().at + last_stall().length);
  else if (next_stall_ < spec_.stalls.size())
    next = std::min(next, spec_.stalls[next_stall_].at);
  // A period's end matters only while the process computes or is throttled.
  if (is_throttled_ || running_ != 0) next = std::min(next, period_ends_);
  return next;
}

// The share of a core that each computing thread gets. Callers apply the speed and the work unit.
Cpu::Rate Cpu::rate() const {
  std::uint64_t numerator = 1, denominator = 1;
  if (spec_.load.policy == LoadSpec::Policy::fair) {
    if (running_ + others_ > cores_) numerator = cores_, denominator = running_ + others_;
  } else if (const std::uint32_t free = cores_ - others_; running_ > free) {
    numerator = free, denominator = running_;
  }
  return {numerator, denominator};
}

TimeNs Cpu::when(Work target, TimeNs now) const {
  if (running_ == 0 || held() != Held::no) return kNever;
  const Rate share = rate();
  return time_for(target - attained_,
                  (static_cast<Work>(share.numerator) * static_cast<Work>(spec_.speed_ppm)) << kWorkBits,
                  static_cast<Work>(share.denominator) * static_cast<Work>(kMillion), now);
}

TimeNs Cpu::when_throttled(TimeNs now) const {
  if (spec_.quota.quota == 0 || running_ == 0 || held() != Held::no) return kNever;
  const Rate share = rate();
  return time_for(quota_left_, (static_cast<Work>(share.numerator) * running_) << kWorkBits,
                  static_cast<Work>(share.denominator), now);
}

void Cpu::pass(TimeNs from, TimeNs to) {
  if (running_ == 0 || held() != Held::no) return;
  const Rate share = rate();
  const Work time = static_cast<Work>(to - from) << kWorkBits;
  const Work numerator = static_cast<Work>(share.numerator);
  const Work denominator = static_cast<Work>(share.denominator);
  // Rounded up: otherwise a computation that ends exactly when the load starts would be delayed by a missing fraction.
  const Work whole = denominator * static_cast<Work>(kMillion);
  attained_ += (time * numerator * static_cast<Work>(spec_.speed_ppm) + whole - 1) / whole;
  if (spec_.quota.quota == 0) return;
  quota_left_ -= time * numerator * running_ / denominator;
  if (quota_left_ <= 0) is_throttled_ = true;
}

}  // namespace loopsim
