// net.Server (lib/net.js, src/connection_wrap.cc; libuv src/unix/tcp.c, stream.c).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/node/context.hpp"

namespace loopsim::node {

class Servers : public Part {
 public:
  using Part::Part;

  // net.createServer().listen(port): its emitter; the caller owns a reference. A port in use fails at once, and a tick
  // reports it.
  std::uint32_t listen(std::uint32_t port, std::uint32_t label, bool allow_half_open);
  // Takes over the references of the callback (place kNone: none), which gets an error when the server does not run.
  void close(std::uint32_t server, const Callback& callback);
  // The kernel makes the connection for this end; the server accepts it later. False: no server listens at its port.
  bool meet(std::uint32_t net);
  // For RawHandles: whether a server listens at this port or, where it is not empty, path; begins and ends to listen.
  [[nodiscard]] bool is_taken(std::uint16_t port, std::string_view path) const;
  void begin(std::uint32_t server);
  void end(std::uint32_t server);
  void accept(std::uint32_t server);           // uv__server_io: one connection, or all that wait
  void connection_gone(std::uint32_t server);  // an accepted socket was destroyed; drops its reference

 private:
  void emit_close_if_drained(std::uint32_t server);

  std::vector<std::uint32_t> listening_;
};

}  // namespace loopsim::node
