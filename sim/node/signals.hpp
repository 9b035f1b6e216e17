// Signals (lib/internal/process/signal.js, src/signal_wrap.cc; libuv src/unix/signal.c).
//
// A signal with a listener is written into the loop's pipe on its arrival, also while JavaScript runs, and reported in
// poll, after all other ready events. Without a listener it ends the process at once, or does nothing.
#pragma once

#include <cstdint>

#include "loopsim/scenario.hpp"

#include "sim/node/context.hpp"

namespace loopsim::node {

class Signals : public Part {
 public:
  using Part::Part;

  void receive(const SignalInfo& signal, TimeNs at);  // from outside, or from the process itself
  void end_by(const SignalInfo& signal);              // whether it is listened to or not
  void on_signal(const uv::Signal& message);          // the loop has read it from its pipe
  void listener_removed(std::uint32_t emitter, std::uint32_t name);
  // The arrival of the first pending signal that ends the process: its listeners cannot change while it computes.
  // kNever: none.
  [[nodiscard]] TimeNs death();

 private:
  std::uint32_t watchers_[32] = {};  // watchers so far, by signal
};

}  // namespace loopsim::node
