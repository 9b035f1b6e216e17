// What message ports and perf_hooks have from below.
#include <vector>

#include "sim/node/environment.hpp"
#include "sim/quickjs/engine.hpp"
#include "sim/quickjs/library.hpp"

namespace loopsim::quickjs {

// watchPorts(deliver, closed): what Node calls. deliver(port) is true when a message was there; deliver(port, true) is the
// number of waiting ones.
Owned Engine::watch_ports(Js /*this_value*/, std::span<const Js> arguments) {
  deliver_message_ = js_->dup(arguments[0]);
  port_closed_ = js_->dup(arguments[1]);
  return kUndefined;
}

Owned Engine::make_port(Js /*this_value*/, std::span<const Js> /*arguments*/) {
  return js_->make_number(node_->ports.make());
}

// portMethod(port, which)
Owned Engine::port_method(Js /*this_value*/, std::span<const Js> arguments) {
  const auto port = whole<std::uint32_t>(js_->to_number(arguments[0]));
  switch (whole<char>(js_->to_number(arguments[1]))) {
    case 's': node_->ports.send(port); break;
    case 'r': node_->ports.reference(port, true); break;
    case 'u': node_->ports.reference(port, false); break;
    case 'c': node_->ports.close(port); break;
    default: return Instance::make_boolean(node_->ports.is_referenced(port));
  }
  return kUndefined;
}

std::size_t Engine::waiting_messages(std::uint32_t port) {
  const Js arguments[] = {js_->make_number(port), kTrue};
  const Js count = js_->call(deliver_message_, kUndefined, arguments);
  return is_number(count) ? whole<std::size_t>(number_of(count)) : 0;
}

Flow Engine::deliver_message(std::uint32_t port, bool& has_delivered) {
  const Js number = js_->make_number(port);
  InContext in_context(*this, async_context_);
  const Js result = js_->call(deliver_message_, kUndefined, std::span<const Js>(&number, 1));
  if (result == kException) {
    if (keeps_stores_in_frames_ == kTrue) in_context.leak();
    return threw();
  }
  has_delivered = result == kTrue;
  js_->free(result);
  return node_->callbacks.stopping() ? Flow::stop : Flow::normal;
}

Flow Engine::port_closed(std::uint32_t port) {
  const Js number = js_->make_number(port);
  const InContext in_context(*this, async_context_);
  const Js result = js_->call(port_closed_, kUndefined, std::span<const Js>(&number, 1));
  if (result == kException) return threw();
  js_->free(result);
  return node_->callbacks.stopping() ? Flow::stop : Flow::normal;
}

// loopTimes(): in ns since the start of the process: now; what the loop has waited in poll; when the loop began, or -1. And
// Date.now() at the start.
Owned Engine::loop_times(Js /*this_value*/, std::span<const Js> /*arguments*/) {
  const auto number = [this](TimeNs time) { return js_->make_number(static_cast<double>(time)); };
  const Js times[] = {number(node_->machine().now()), number(node_->loop().poll_time()), number(node_->loop_start()),
                      number(kStartOfTheClock / kMillisecond)};
  return js_->make_array(times);
}

// delayMonitor(-1, resolution): the number of a new one; delayMonitor(number, true or false): starts or stops it;
// delayMonitor(number): what it has measured since, in ns.
Owned Engine::delay_monitor(Js /*this_value*/, std::span<const Js> arguments) {
  const double number = js_->to_number(arguments[0]);
  node::DelayMonitor& monitor = node_->delay_monitor;
  if (number < 0) return js_->make_number(monitor.make(static_cast<TimeMs>(js_->to_number(arguments[1]))));
  const auto index = static_cast<std::uint32_t>(number);
  if (arguments.size() > 1) {
    arguments[1] == kTrue ? monitor.start(index) : monitor.stop(index);
    return kUndefined;
  }
  std::vector<Js> delays;
  for (const TimeNs delay : monitor.take(index)) delays.push_back(js_->make_number(static_cast<double>(delay)));
  return js_->make_array(delays);
}

}  // namespace loopsim::quickjs
