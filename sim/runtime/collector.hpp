// When V8's garbage collector stops the thread, and for how long (CollectionSpec). The allocation is even, so a young generation is full
// whenever the thread has had a certain amount of CPU.
#pragma once

#include <algorithm>
#include <cstdint>

#include "loopsim/scenario.hpp"

#include "sim/machine/random.hpp"

namespace loopsim::runtime {

class Collector {
 public:
  Collector(const CollectionSpec& spec, std::uint64_t seed)
      : spec_(spec),
        scavenge_(spec.scavenge, seed, MachineStream::scavenge),
        mark_compact_(spec.mark_compact, seed, MachineStream::mark_compact) {
    if (spec.allocation == 0) return;
    // At least 1 us, so that a program cannot be collected for ever.
    full_after_ = std::max<TimeNs>(spec.young * kSecondPerUnit / spec.allocation * kNanosecondsPerUnit, kMicrosecond);
    left_ = full_after_;
  }

  [[nodiscard]] bool is_on() const { return full_after_ != 0; }
  // Of so much CPU, what is used before the young generation is full.
  [[nodiscard]] TimeNs before_next(TimeNs amount) const { return std::min(amount, left_); }
  // So much CPU has been used. How long the collections take that are due now; 0: none is.
  TimeNs collect_if_full(TimeNs used) {
    left_ -= used;
    if (left_ > 0) return 0;
    left_ = full_after_;
    TimeNs pause = scavenge_.draw();
    survived_ += spec_.young * spec_.survives_ppm / kMillion;
    if (survived_ >= spec_.old) {
      survived_ = 0;
      pause += mark_compact_.draw();
    }
    return pause;
  }

 private:
  static constexpr std::int64_t kMillion = 1'000'000;
  // In millionths of a second, so that no product of sizes is beyond 64 bits.
  static constexpr std::int64_t kSecondPerUnit = kMillion;
  static constexpr TimeNs kNanosecondsPerUnit = 1'000;

  const CollectionSpec& spec_;
  Sampler scavenge_, mark_compact_;
  TimeNs full_after_ = 0;      // CPU between two scavenges; 0: no collector
  TimeNs left_ = 0;            // of it
  std::int64_t survived_ = 0;  // since the last mark-compact
};

}  // namespace loopsim::runtime
