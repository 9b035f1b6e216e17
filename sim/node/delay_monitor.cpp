#include "sim/node/delay_monitor.hpp"

#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

void DelayMonitor::start() {
  if (setup_.delay_resolution == 0 || std::exchange(is_started_, true)) return;
  start(make(setup_.delay_resolution));
}

std::uint32_t DelayMonitor::make(TimeMs resolution) {
  const auto number = static_cast<std::uint32_t>(monitors_.size());
  Monitor& monitor = monitors_.emplace_back();
  monitor.timer.callback = on_timer;
  monitor.timer.referenced = false;
  monitor.timer.repeat = resolution;
  monitor.timer.owner = number;
  monitor.keeps = engine_.owns_process();
  return number;
}

// The timer's first call only starts the clock.
void DelayMonitor::start(std::uint32_t monitor) {
  if (!monitors_[monitor].timer.active()) loop_.again(monitors_[monitor].timer);
}

void DelayMonitor::stop(std::uint32_t monitor) { loop_.stop(monitors_[monitor].timer); }

std::vector<TimeNs> DelayMonitor::take(std::uint32_t monitor) { return std::exchange(monitors_[monitor].delays, {}); }

void DelayMonitor::on_timer(void* environment, uv::Timer& timer) {
  DelayMonitor& it = static_cast<Environment*>(environment)->delay_monitor;
  Monitor& monitor = it.monitors_[timer.owner];
  const TimeNs now = it.machine_.now();
  const TimeNs before = std::exchange(monitor.measured_at, now);
  if (before < 0) return;
  if (monitor.keeps) monitor.delays.push_back(now - before);
  if (it.tracer_.on()) it.tracer_.add(EventKind::loop_delay).a = now - before;
}

}  // namespace loopsim::node
