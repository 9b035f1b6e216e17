// perf_hooks.monitorEventLoopDelay(): a repeating timer of libuv that does not keep the loop alive (src/histogram.cc,
// IntervalHistogram).
#pragma once

#include "sim/node/context.hpp"

namespace loopsim::node {

class DelayMonitor : public Part {
 public:
  using Part::Part;

  void start();  // on the scenario's request; repeated calls have no effect
  [[nodiscard]] bool is(const uv::Timer& timer) const { return &timer == &timer_; }

 private:
  static void on_timer(void* environment, uv::Timer& timer);

  uv::Timer timer_;
  TimeNs measured_at_ = -1;
};

}  // namespace loopsim::node
