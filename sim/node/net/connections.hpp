// Connections on the loopback, in the kernel. One takes no time. Both of its ends are NetObjects that know each other while both are open;
// what arrives at one is put there by whoever sends it.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/node/context.hpp"

namespace loopsim::node {

class Connections : public Part {
 public:
  using Part::Part;

  // What arrives at an end, from its peer or from outside: bytes, the end (FIN), a reset (RST).
  void deliver_bytes(std::uint32_t net, std::string_view bytes);
  void deliver_end(std::uint32_t net);
  void deliver_reset(std::uint32_t net);
  // send(2): takes all the bytes, or says why not.
  Connection::Error send(std::uint32_t net, std::string_view bytes);
  // close(2): with bytes that nobody has read it resets the connection.
  void close(std::uint32_t net);
};

}  // namespace loopsim::node
