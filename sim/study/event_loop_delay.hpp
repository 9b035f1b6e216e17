// What perf_hooks.monitorEventLoopDelay() of Node reports, from the times between two calls of its timer.
//
// Node (src/node_perf.cc, CreateELDHistogram; src/histogram.cc, RecordDelta) sets a timer of `resolution` ms that does not keep
// the process alive, and records how many nanoseconds have passed since the timer's last call, the resolution included, in a
// histogram that tells 1000 ns from 0 and has three figures. The first call after enable() only starts the clock.
#pragma once

#include <cstdint>

#include "loopsim/time.hpp"

#include "sim/study/hdr_histogram.hpp"

namespace loopsim::study {

class EventLoopDelay {
 public:
  // A time between two calls. A delta below 1 cannot be recorded, and is an `exceeds`.
  void record(TimeNs delta) {
    if (delta < 1) {
      ++exceeds_;
    } else {
      histogram_.record(delta);
    }
  }
  void reset() {
    histogram_.reset();
    exceeds_ = 0;
  }

  // The properties of the histogram in Node, all times in ns: what they are of an empty one, too (min 2^63 - 1, max 0, mean
  // and stddev NaN, every percentile 511).
  [[nodiscard]] TimeNs min() const { return histogram_.min(); }
  [[nodiscard]] TimeNs max() const { return histogram_.max(); }
  [[nodiscard]] double mean() const { return histogram_.mean(); }
  [[nodiscard]] double stddev() const { return histogram_.stddev(); }
  [[nodiscard]] std::uint64_t count() const { return histogram_.count(); }
  [[nodiscard]] std::uint64_t exceeds() const { return exceeds_; }
  [[nodiscard]] TimeNs percentile(double share) const { return histogram_.percentile(share); }  // above 0, up to 100

 private:
  static constexpr std::int64_t kLowest = 1000;
  HdrHistogram histogram_{kLowest};
  std::uint64_t exceeds_ = 0;
};

}  // namespace loopsim::study
