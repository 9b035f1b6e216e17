// Handles for a language whose own library has servers and sockets, as Node's lib/net.js does: TCPWrap and PipeWrap
// (src/tcp_wrap.cc, src/pipe_wrap.cc, src/stream_base.cc). Engine::handle_report() gets what happens to them. A handle is a
// NetObject with is_raw; it lives until its close was reported, or until the run ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/node/context.hpp"

namespace loopsim::node {

class RawHandles : public Part {
 public:
  using Part::Part;

  std::uint32_t make(bool is_server, std::uint32_t label);
  // uv_listen on a port, 0: one that is free, or on a path. Empty, or an error's code.
  std::string_view listen(std::uint32_t server, std::uint16_t port, std::string path);
  // uv_tcp_connect from a port of its own, 0: one that is free. Empty, or an error's code.
  std::string_view connect(std::uint32_t socket, std::uint16_t port, std::uint16_t local_port);
  void connect(std::uint32_t socket, const std::string& path);  // uv_pipe_connect
  // One end of a pipe whose other one a child process gets (Children::start()).
  std::uint32_t make_pipe(std::uint32_t label);
  struct Written {
    std::string_view error;  // code; empty: none
    bool is_late = false;    // a report follows
  };
  // The kernel takes as much as it has room for; the rest follows when the other side has read.
  Written write(std::uint32_t socket, std::string_view bytes, bool is_several);  // uv_try_write, uv_write
  void shut_down(std::uint32_t socket);
  void start_reading(std::uint32_t socket);
  void stop_reading(std::uint32_t socket);
  // `resets`: uv_tcp_close_reset. `tells`: it is reported, in a scope of its own, as where close() has got a callback.
  void close(std::uint32_t handle, bool resets, bool tells);
  [[nodiscard]] std::uint16_t local_port(std::uint32_t handle) const { return heap_.nets[handle].local_port; }
  [[nodiscard]] std::uint16_t remote_port(std::uint32_t socket) const;

  // ---- reports of NetHandles and Servers ------------------------------------------------------------------------------
  void accepted(std::uint32_t server, std::uint32_t socket, TimeNs since);
  void connected(std::uint32_t socket, std::string_view error);
  void read(std::uint32_t socket, std::string_view bytes);
  void read_end(std::uint32_t socket, std::string_view error);  // empty: the end of file
  void written(std::uint32_t socket, std::string_view error);
  void shut(std::uint32_t socket, std::string_view error);
  void closed(std::uint32_t handle);
  // Whether there is room in the kernel; what was not sent goes on; the other side has read.
  [[nodiscard]] bool is_writable(std::uint32_t socket) const;
  void go_on(std::uint32_t socket);
  void peer_has_read(std::uint32_t socket);

 private:
  std::uint16_t free_port();

  std::uint16_t last_port_ = 0;
};

}  // namespace loopsim::node
