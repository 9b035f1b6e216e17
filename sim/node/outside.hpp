// Outside events at times given by the scenario: signals, and clients that connect, send and close.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loopsim/scenario.hpp"

#include "sim/node/context.hpp"

namespace loopsim::node {

class Outside : public Part {
 public:
  using Part::Part;

  void schedule(std::uint64_t seed);  // all events, before the process starts
  void happen(const OutsideEvent& event, TimeNs at);

 private:
  void connect_client(const OutsideEvent& event);
  void client_acts(const OutsideEvent& event);

  std::vector<std::uint32_t> clients_;  // the kernel's ends of their sockets, by number; kNone: not connected
};

}  // namespace loopsim::node
