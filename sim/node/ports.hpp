// The handles of message ports (src/node_messaging.cc; uv_async_t of libuv): a message wakes the loop, and is delivered in
// the poll phase. The messages themselves are the engine's, and so is which port gets them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/node/context.hpp"

namespace loopsim::node {

class Ports : public Part {
 public:
  using Part::Part;

  // uv_async_init: an active handle that keeps the loop alive. Numbers are never used again.
  std::uint32_t make();
  void send(
      std::uint32_t port);  // uv_async_send: Engine::deliver_message() follows in poll. Nothing once it is closing
  void reference(std::uint32_t port, bool is_referenced);
  [[nodiscard]] bool is_referenced(std::uint32_t port) const { return ports_[port].is_referenced; }
  [[nodiscard]] bool is_closing(std::uint32_t port) const { return ports_[port].is_closing; }
  void close(std::uint32_t port);  // Engine::port_closed() follows in the closing phase

  // ---- for the loop ---------------------------------------------------------------------------------------------------------
  void on_async();
  static bool owns(std::uint32_t data) { return data != kNone && (data & kMark) != 0; }
  void on_close(std::uint32_t data);

 private:
  static constexpr std::uint32_t kMark = 0x8000'0000;  // in the loop's numbers of handles

  struct Port {
    bool is_referenced = true;
    bool is_closing = false;
    bool is_sent = false;
  };
  Flow deliver(std::uint32_t port);
  void settle_early();

  std::vector<Port> ports_;
  // Those that are not closed, in the order in which the loop looks at them; and those that were made in this pass, before it did.
  std::vector<std::uint32_t> order_, early_;
  std::uint64_t early_pass_ = 0;  // Loop::async_pass()
  bool is_looking_ = false;
};

}  // namespace loopsim::node
