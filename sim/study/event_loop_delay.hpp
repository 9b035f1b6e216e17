// The histogram of perf_hooks.monitorEventLoopDelay() of Node, filled with the times between calls of its timer.
//
// Node (src/node_perf.cc, CreateELDHistogram; src/histogram.cc, RecordDelta) sets an unref'd timer of `resolution` ms
// and records the nanoseconds since the timer's previous call, including the resolution, in a histogram with a lowest
// discernible value of 1000 ns and three significant figures. The first call after enable() only starts the clock.
#pragma once

#include <cstdint>

#include "loopsim/time.hpp"

#include "sim/study/hdr_histogram.hpp"

namespace loopsim::study {

class EventLoopDelay {
 public:
  // `delta` is the time between two calls. Below 1 it cannot be recorded and counts as `exceeds`.
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

  // The properties of Node's histogram, times in ns, with the same values for an empty one (min 2^63 - 1, max 0, mean
  // and stddev NaN, every percentile 511).
  [[nodiscard]] TimeNs min() const { return histogram_.min(); }
  [[nodiscard]] TimeNs max() const { return histogram_.max(); }
  [[nodiscard]] double mean() const { return histogram_.mean(); }
  [[nodiscard]] double stddev() const { return histogram_.stddev(); }
  [[nodiscard]] std::uint64_t count() const { return histogram_.count(); }
  [[nodiscard]] std::uint64_t exceeds() const { return exceeds_; }
  [[nodiscard]] TimeNs percentile(double share) const { return histogram_.percentile(share); }  // 0 < share <= 100

 private:
  static constexpr std::int64_t kLowest = 1000;
  HdrHistogram histogram_{kLowest};
  std::uint64_t exceeds_ = 0;
};

}  // namespace loopsim::study
