// The cores: the speed of the process's threads over time, given the other programs, the quota and the stalls.
//
// The model is processor sharing. There are C cores, m runnable threads of the load, and n computing threads of the
// process: the loop's, while it runs JavaScript, and pool threads with CPU work. Each of the n gets
//
//     fair      min(1, C / (n + m))         preempt   min(1, max(C - m, 0) / n)
//
// of a core, times the speed; nothing during a stall, or after the quota of the period is exhausted. Between two
// changes the rate is constant, so the machine steps from change to change, in integers: times in ns, work in 2^-16 ns.
// Completed work is rounded up at each change, and a computation ends at the first ns at which its work is complete.
//
// Under the kernel's schedulers, cfs and eevdf, nothing of this is used but is_plain(): there each thread has its own
// time on a core (scheduler.hpp).
//
// All n have the same rate, so one number describes them all: the attained service, which is the work of a thread that
// has computed since the start. A computation that needs w more is complete when that number has grown by w.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "loopsim/scenario.hpp"

#include "sim/machine/random.hpp"

namespace loopsim {

class Scheduler;

__extension__ using Work = __int128;  // CPU time in 2^-16 ns
inline constexpr int kWorkBits = 16;

// Reason why a runnable thread does not run.
enum class Held : std::uint8_t { no, stalled, preempted, throttled, stolen };

class Cpu {
 public:
  Cpu(const MachineSpec& spec, std::uint32_t threads, std::uint64_t seed);
  ~Cpu();
  Cpu(const Cpu&) = delete;
  Cpu& operator=(const Cpu&) = delete;

  // True if every thread always has its own core, at speed 1; then nothing else here is needed.
  [[nodiscard]] bool is_plain() const { return is_plain_; }
  // Set if the policy is one of the kernel's and the cores are not plain; then it has the cores.
  [[nodiscard]] Scheduler* scheduler() const { return scheduler_.get(); }

  // Advances load, stalls and quota periods to `now`, which must not decrease.
  void move_to(TimeNs now);
  // Reason why no thread of the process can run at the current time (see move_to()).
  [[nodiscard]] Held held() const {
    if (is_stalled_) return Held::stalled;
    if (is_throttled_) return Held::throttled;
    return spec_.load.policy == LoadSpec::Policy::preempt && others_ >= cores_ ? Held::preempted : Held::no;
  }
  // Time of the next change of load, stalls or quota period, not counting exhaustion of the quota; or kNever.
  [[nodiscard]] TimeNs next_change() const;

  // Sets the number of computing threads, and so the rate until the next change.
  void set_running(std::uint32_t count) { running_ = count; }
  // The attained service, and the time at which it reaches `target` if nothing changes before; or kNever.
  [[nodiscard]] Work attained() const { return attained_; }
  [[nodiscard]] TimeNs when(Work target, TimeNs now) const;
  // Time at which the quota will be exhausted; or kNever.
  [[nodiscard]] TimeNs when_throttled(TimeNs now) const;
  // Computes from `from` to `to`, which must not be after the next change.
  void pass(TimeNs from, TimeNs to);

  [[nodiscard]] static Work work_of(TimeNs amount) { return static_cast<Work>(amount) << kWorkBits; }
  // The number of changes so far, for the change limit.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  // The current stall, or the last one.
  [[nodiscard]] const Stall& last_stall() const { return spec_.stalls[next_stall_ - 1]; }

 private:
  struct Other {  // a thread of the load
    Sampler busy, idle;
    bool wants = false;
    TimeNs until = 0;  // time of the next change of `wants`
  };
  struct Rate {  // share of a core per thread, as a fraction
    std::uint64_t numerator, denominator;
  };
  [[nodiscard]] Rate rate() const;
  void begin_load(std::uint64_t seed);
  void change_load(Other& other);

  const MachineSpec& spec_;
  std::uint32_t cores_;
  bool is_plain_;

  std::vector<Other> load_;
  TimeNs load_changes_ = kNever;
  std::uint32_t others_ = 0;  // runnable ones

  std::size_t next_stall_ = 0;
  bool is_stalled_ = false;

  bool is_throttled_ = false;
  TimeNs period_ends_ = kNever;
  Work quota_left_ = 0;  // of this period

  std::uint32_t running_ = 0;
  Work attained_ = 0;
  std::uint64_t changes_ = 0;
  std::unique_ptr<Scheduler> scheduler_;  // counts its changes here, too
};

}  // namespace loopsim
