#include "sim/node/ports.hpp"

#include <algorithm>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
constexpr std::size_t kMostMessages = 1'000;  // of one port in one phase, unless more wait when it begins
}  // namespace

std::uint32_t Ports::make() {
  loop_.add_active_handle();
  ports_.push_back({.made_in = loop_.async_pass()});
  return static_cast<std::uint32_t>(ports_.size() - 1);
}

void Ports::send(std::uint32_t port) {
  if (ports_[port].is_closing) return;
  ports_[port].is_sent = true;
  loop_.send_async();
}

void Ports::reference(std::uint32_t index, bool is_referenced) {
  Port& port = ports_[index];
  if (port.is_closing || std::exchange(port.is_referenced, is_referenced) == is_referenced) return;
  if (is_referenced)
    loop_.add_active_handle();
  else
    loop_.remove_active_handle();
}

void Ports::close(std::uint32_t index) {
  Port& port = ports_[index];
  if (std::exchange(port.is_closing, true)) return;
  port.is_sent = false;
  if (port.is_referenced) loop_.remove_active_handle();
  loop_.close_with_callback(kMark | index);
}

// uv__async_io goes through the handles that there are when it begins. One that is made meanwhile, as in an ES module of Node 12 to 20,
// which runs in poll, is looked at by the next poll.
void Ports::on_async() {
  bool has_later = false;
  for (std::uint32_t port = 0; port < ports_.size(); ++port) {
    if (ports_[port].made_in == loop_.async_pass()) {
      has_later |= ports_[port].is_sent;
      continue;
    }
    if (!std::exchange(ports_[port].is_sent, false)) continue;
    if (deliver(port) == Flow::stop) return;
  }
  if (has_later) loop_.send_async();
}

// MessagePort::OnMessage: each message in a callback scope of its own, also when one of them has closed the port. After an
// exception the rest waits for the next poll.
Flow Ports::deliver(std::uint32_t port) {
  std::size_t left = std::max(kMostMessages, engine_.waiting_messages(port));
  for (;;) {
    if (left-- == 0) {
      send(port);
      break;
    }
    bool has_delivered = false;
    const Flow flow = engine_.deliver_message(port, has_delivered);
    if (flow == Flow::normal && !has_delivered) break;
    bool has_thrown = flow == Flow::threw;
    if (has_thrown)
      env_.exit.handle_uncaught(false);
    else if (flow == Flow::normal)
      has_thrown = env_.task_queue.close_scope_threw();
    if (stopping()) return Flow::stop;
    if (!has_thrown) continue;
    send(port);
    break;
  }
  return stopping() ? Flow::stop : Flow::normal;
}

void Ports::on_close(std::uint32_t data) {
  const Flow flow = engine_.port_closed(data & ~kMark);
  if (flow == Flow::threw)
    env_.exit.handle_uncaught(false);
  else if (flow == Flow::normal)
    env_.task_queue.close_scope();
}

}  // namespace loopsim::node
