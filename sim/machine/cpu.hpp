// The cores: how fast the process's threads compute at every moment, given the other programs, the quota and the stalls.
//
// The model is processor sharing. Of C cores, m other threads want one (the load); n threads of the process compute: the loop's,
// while it runs JavaScript, and those of the pool that have work for the CPU. Each of the n gets
//
//     fair      min(1, C / (n + m))         preempt   min(1, max(C - m, 0) / n)
//
// of a core, times the speed; nothing during a stall, nor when the process has used up its quota of the period. Between two
// changes the rate is constant, so the machine steps from change to change, in integers: times in ns, work in 2^-16 ns.
// Work done is rounded up at each change, and a computation ends on the first ns by which its work is done.
//
// All n have the same rate, so one number holds for all of them: the work that a thread which has computed since the beginning
// would have done (attained service). A computation that needs w more is done when that number has grown by w.
#pragma once

#include <cstdint>
#include <vector>

#include "loopsim/scenario.hpp"

#include "sim/machine/random.hpp"

namespace loopsim {

__extension__ using Work = __int128;  // CPU time in 2^-16 ns
inline constexpr int kWorkBits = 16;

// Why a thread that wants to compute does not.
enum class Held : std::uint8_t { no, stalled, preempted, throttled };

class Cpu {
 public:
  Cpu(const MachineSpec& spec, std::uint32_t threads, std::uint64_t seed);

  // Every thread always has a core of its own, at speed 1: nothing here is needed.
  [[nodiscard]] bool is_plain() const { return is_plain_; }

  // The other programs, stalls and periods of the quota up to `now`. `now` never goes back.
  void move_to(TimeNs now);
  // Why no thread of the process can compute at the moment moved to.
  [[nodiscard]] Held held() const {
    if (is_stalled_) return Held::stalled;
    if (is_throttled_) return Held::throttled;
    return spec_.load.policy == LoadSpec::Policy::preempt && others_ >= cores_ ? Held::preempted : Held::no;
  }
  // When any of it changes next if nothing of the process computes; kNever.
  [[nodiscard]] TimeNs next_change() const;

  // How many computations run; sets the rate until the next change.
  void set_running(std::uint32_t count) { running_ = count; }
  // The attained service, and when it will be at least `target` if nothing changes before; kNever.
  [[nodiscard]] Work attained() const { return attained_; }
  [[nodiscard]] TimeNs when(Work target, TimeNs now) const;
  // When the quota will be used up; kNever.
  [[nodiscard]] TimeNs when_throttled(TimeNs now) const;
  // Computes from `from` to `to`, which is not behind the next change.
  void pass(TimeNs from, TimeNs to);

  [[nodiscard]] static Work work_of(TimeNs amount) { return static_cast<Work>(amount) << kWorkBits; }
  // Changes so far: what a limit can be set to.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  // The stall that has just ended or goes on.
  [[nodiscard]] const Stall& last_stall() const { return spec_.stalls[next_stall_ - 1]; }

 private:
  struct Other {  // a thread of the load
    Sampler busy, idle;
    bool wants = false;
    TimeNs until = 0;  // when that changes
  };
  struct Rate {  // work a thread does in a ns, as a fraction of 2^16 millionths
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
  std::uint32_t others_ = 0;  // of them that want a core

  std::size_t next_stall_ = 0;
  bool is_stalled_ = false;

  bool is_throttled_ = false;
  TimeNs period_ends_ = kNever;
  Work quota_left_ = 0;  // of this period

  std::uint32_t running_ = 0;
  Work attained_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace loopsim
