// Loopback connections in the kernel. They take no time. Both ends are NetObjects that refer to each other while both
// are open; the sender puts its data at the receiving end.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/node/context.hpp"

namespace loopsim::node {

class Connections : public Part {
 public:
  using Part::Part;

  // Arrivals at an end, from its peer or from outside: bytes, the end (FIN), a reset (RST).
  void deliver_bytes(std::uint32_t net, std::string_view bytes);
  void deliver_end(std::uint32_t net);
  void deliver_reset(std::uint32_t net);
  // send(2): takes all the bytes, or returns the error.
  Connection::Error send(std::uint32_t net, std::string_view bytes);
  // close(2): unread bytes reset the connection.
  void close(std::uint32_t net);
  void reset(std::uint32_t net);  // its peer hears RST; to be closed next
};

}  // namespace loopsim::node
