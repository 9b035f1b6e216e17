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
  settle_early();
  const auto port = static_cast<std::uint32_t>(ports_.size());
  ports_.emplace_back();
  const std::uint64_t pass = loop_.async_pass();
  (pass != 0 && !is_looking_ ? early_ : order_).push_back(port);
  early_pass_ = pass;
  return port;
}

// A pass takes all handles off its list, and puts each one behind what is there when it looks at it: what the callbacks of the pool,
// which are the first, have made comes before.
void Ports::settle_early() {
  if (early_.empty() || early_pass_ == loop_.async_pass()) return;
  order_.insert(order_.begin(), early_.begin(), early_.end());
  early_.clear();
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
  settle_early();
  for (const std::uint32_t port : early_)
    if (ports_[port].is_sent) loop_.send_async();
  const std::vector<std::uint32_t> all = std::exchange(order_, std::exchange(early_, {}));
  is_looking_ = true;
  for (const std::uint32_t port : all) {
    order_.push_back(port);
    if (std::exchange(ports_[port].is_sent, false) && deliver(port) == Flow::stop) break;
  }
  is_looking_ = false;
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
  std::erase(order_, data & ~kMark);
  std::erase(early_, data & ~kMark);
  const Flow flow = engine_.port_closed(data & ~kMark);
  if (flow == Flow::threw)
    env_.exit.handle_uncaught(false);
  else if (flow == Flow::normal)
    env_.task_queue.close_scope();
}

}  // namespace loopsim::node
