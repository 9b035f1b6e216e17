// perf_hooks.monitorEventLoopDelay(): repeating timers of libuv that do not keep the loop alive (src/histogram.cc,
// IntervalHistogram).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/node/context.hpp"

namespace loopsim::node {

class DelayMonitor : public Part {
 public:
  using Part::Part;

  void start();  // on the scenario's request; repeated calls have no effect
  // The program's own: monitors by number, which are started and stopped, and keep what they have measured.
  std::uint32_t make(TimeMs resolution);
  void start(std::uint32_t monitor);
  void stop(std::uint32_t monitor);
  // The times from call to call of its timer, since the last call of take(), in ns.
  std::vector<TimeNs> take(std::uint32_t monitor);
  [[nodiscard]] bool is(const uv::Timer& timer) const { return timer.callback == on_timer; }

 private:
  static void on_timer(void* environment, uv::Timer& timer);

  struct Monitor {
    uv::Timer timer;
    TimeNs measured_at = -1;
    bool keeps = false;  // what it measures
    std::vector<TimeNs> delays;
  };
  std::deque<Monitor> monitors_;  // by Timer::owner
  bool is_started_ = false;
};

}  // namespace loopsim::node
