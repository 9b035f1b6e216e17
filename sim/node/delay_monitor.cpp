#include "sim/node/delay_monitor.hpp"

#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

// The timer's first call only starts the clock.
void DelayMonitor::start() {
  if (setup_.delay_resolution == 0 || timer_.active()) return;
  timer_.callback = on_timer;
  timer_.referenced = false;
  timer_.repeat = setup_.delay_resolution;
  loop_.again(timer_);
}

void DelayMonitor::on_timer(void* environment, uv::Timer& /*timer*/) {
  DelayMonitor& it = static_cast<Environment*>(environment)->delay_monitor;
  const TimeNs now = it.machine_.now();
  const TimeNs before = std::exchange(it.measured_at_, now);
  if (before >= 0 && it.tracer_.on()) it.tracer_.add(EventKind::loop_delay).a = now - before;
}

}  // namespace loopsim::node
