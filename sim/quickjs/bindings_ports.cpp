// What message ports and perf_hooks have from below.
#include <algorithm>
#include <utility>
#include <vector>

#include "sim/node/environment.hpp"
#include "sim/quickjs/engine.hpp"
#include "sim/quickjs/library.hpp"

namespace loopsim::quickjs {

// watchPorts(deliver, closed): what Node calls. deliver(port) is true when a message was there; deliver(port, true) is the
// number of waiting ones.
Owned Engine::watch_ports(Js /*this_value*/, Given arguments) {
  js_->free(std::exchange(deliver_message_, js_->dup(arguments[0])));
  js_->free(std::exchange(port_closed_, js_->dup(arguments[1])));
  return kUndefined;
}

Owned Engine::make_port(Js /*this_value*/, Given /*arguments*/) {
  const std::uint32_t port = node_->ports.make();
  if (port >= ports_.size()) ports_.resize(port + 1, kNone);
  ports_[port] = begin_crossing(kPort, port);
  return js_->dup(crossings_[ports_[port]].object);
}

// portMethod(port, which): of one that is closed, nothing happens.
Owned Engine::port_method(Js /*this_value*/, Given arguments) {
  const std::uint32_t port = checked(arguments[0], kPort);
  if (port == kNone) return refuse();
  switch (letter(arguments[1])) {
    case 's': node_->ports.send(port); break;
    case 'r': node_->ports.reference(port, true); break;
    case 'u': node_->ports.reference(port, false); break;
    case 'c': node_->ports.close(port); break;
    default: return Instance::make_boolean(node_->ports.is_referenced(port));
  }
  return kUndefined;
}

std::size_t Engine::waiting_messages(std::uint32_t port) {
  const Js arguments[] = {port_object(port), kTrue};
  const Js count = js_->call(deliver_message_, kUndefined, arguments);
  if (is_number(count)) return whole<std::size_t>(number_of(count));
  js_->free(count == kException ? js_->take_exception() : count);
  return 0;
}

Flow Engine::deliver_message(std::uint32_t port, bool& has_delivered) {
  const Js handle = port_object(port);
  InContext in_context(*this, async_context_);
  const Js result = js_->call(deliver_message_, kUndefined, std::span<const Js>(&handle, 1));
  if (result == kException) {
    if (keeps_stores_in_frames_ == kTrue) in_context.leak();
    return threw();
  }
  has_delivered = result == kTrue;
  js_->free(result);
  return node_->callbacks.stopping() ? Flow::stop : Flow::normal;
}

// Node's port has its number for itself, also when it is closed: the handle of one stays what it is.
Flow Engine::port_closed(std::uint32_t port) {
  const Js handle = port_object(port);
  crossings_[ports_[port]].object = kUndefined;
  const InContext in_context(*this, async_context_);
  const Flow flow = ask(port_closed_, std::span<const Js>(&handle, 1));
  js_->free(handle);
  return flow;
}

// loopTimes(): in ns since the start of the process: now; what the loop has waited in poll; when the loop began, or -1. And
// Date.now() at the start.
Owned Engine::loop_times(Js /*this_value*/, Given /*arguments*/) {
  const auto number = [this](TimeNs time) { return js_->make_number(static_cast<double>(time)); };
  const Js times[] = {number(node_->machine().now()), number(node_->loop().poll_time()), number(node_->loop_start()),
                      number(kStartOfTheClock / kMillisecond)};
  return js_->make_array(times);
}

// makeMonitor(resolution in ms): a handle. switchMonitor(monitor, whether it measures); readMonitor(monitor): what it has measured
// since, in ns.
Owned Engine::make_monitor(Js /*this_value*/, Given arguments) {
  constexpr double kMost = 2147483647;
  const double resolution = js_->number_given(arguments[0]);
  const TimeMs wanted = resolution >= 1 ? static_cast<TimeMs>(std::min(resolution, kMost)) : 1;
  const std::uint32_t number = begin_crossing(kMonitor, node_->delay_monitor.make(wanted));
  return std::exchange(crossings_[number].object, kUndefined);  // Node has no use for it
}

Owned Engine::switch_monitor(Js /*this_value*/, Given arguments) {
  const std::uint32_t monitor = checked(arguments[0], kMonitor);
  if (monitor == kNone) return refuse();
  if (arguments[1] == kTrue)
    node_->delay_monitor.start(monitor);
  else
    node_->delay_monitor.stop(monitor);
  return kUndefined;
}

Owned Engine::read_monitor(Js /*this_value*/, Given arguments) {
  const std::uint32_t monitor = checked(arguments[0], kMonitor);
  if (monitor == kNone) return refuse();
  std::vector<Js> delays;
  for (const TimeNs delay : node_->delay_monitor.take(monitor))
    delays.push_back(js_->make_number(static_cast<double>(delay)));
  return js_->make_array(delays);
}

}  // namespace loopsim::quickjs
