// The kernel's sockets, as far as a program for libuv meets them: TCP on the loopback, Unix sockets, pairs of them. Nothing takes time.
// Facts: Linux net/ipv4/tcp.c (tcp_poll, tcp_recvmsg, tcp_sendmsg), tcp_input.c, net/unix/af_unix.c.
//
// A socket is a number. Errors are libuv's codes, below 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sim/uv/loop.hpp"

namespace loopsim::libuv {

enum class SocketFamily : std::uint8_t { tcp, unix_ };

struct Socket {
  // Of connect() on TCP, as the kernel's sock->state: the first call leaves it connecting, whatever happens later.
  enum class State : std::uint8_t { unconnected, connecting, connected, disconnecting };

  SocketFamily family = SocketFamily::tcp;
  State state = State::unconnected;
  bool is_listening = false;
  bool was_connected = false;  // has, or has had, another side; or was refused
  bool is_outside = false;     // of a client outside of the process, which reads everything at once
  std::uint16_t port = 0;      // its own; 0: none
  std::string path;            // empty: none
  std::uint32_t peer = kNone;
  std::uint32_t watcher = kNone;      // the handle that the loop watches it for
  std::deque<std::uint32_t> backlog;  // connections that wait to be accepted
  std::string received;
  TimeNs since = -1;          // of a connection that waits
  TimeNs received_at = -1;    // arrival of its first byte
  TimeNs ended_at = -1;       // of the end, or of the reset
  bool received_end = false;  // FIN, or the other side is gone
  bool sent_end = false;      // its own side is shut down
  bool told_end = false;      // and the other side knows: not if there was none when it was shut down
  bool is_reset = false;      // no more data in either direction
  int error = 0;              // which the next call reports
};

class Sockets {
 public:
  explicit Sockets(uv::Loop& loop) : loop_(loop) {}
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  std::uint32_t make(SocketFamily family);
  std::uint32_t make_pair();  // of Unix sockets: the first; the second is the next number
  [[nodiscard]] std::size_t count() const { return sockets_.size(); }
  [[nodiscard]] const Socket& operator[](std::uint32_t socket) const { return sockets_[socket]; }
  void watch_by(std::uint32_t socket, std::uint32_t handle) { sockets_[socket].watcher = handle; }

  int bind(std::uint32_t socket, std::uint16_t port);
  int bind(std::uint32_t socket, std::string_view path);
  void unlink(std::string_view path);
  int listen(std::uint32_t socket);
  // Without blocking. A refusal by TCP is an error of the socket, which poll reports.
  int connect(std::uint32_t socket, std::uint16_t port);
  int connect(std::uint32_t socket, std::string_view path);
  std::uint32_t connect_from_outside(std::uint16_t port);  // kNone: refused
  std::uint32_t accept(std::uint32_t socket);              // kNone: nobody waits
  int take_error(std::uint32_t socket);                    // SO_ERROR

  // The number of bytes; 0: the end.
  int read(std::uint32_t socket, std::size_t most, std::string& bytes);
  int send(std::uint32_t socket, std::string_view bytes);
  int shut_down(std::uint32_t socket);  // SHUT_WR
  void close(std::uint32_t socket, bool resets = false);

  [[nodiscard]] std::uint8_t state(std::uint32_t socket) const;  // uv::IoEvents

 private:
  [[nodiscard]] std::uint32_t listener_at(std::uint16_t port) const;
  [[nodiscard]] std::uint32_t listener_at(std::string_view path) const;
  void meet(std::uint32_t socket, std::uint32_t listener);
  void deliver_end(std::uint32_t socket);
  void deliver_reset(std::uint32_t socket);
  void report(std::uint32_t socket);
  [[nodiscard]] std::size_t room(std::uint32_t socket) const;

  uv::Loop& loop_;
  std::deque<Socket> sockets_;
  std::vector<std::uint32_t> listeners_;
  std::vector<std::string> files_;  // of bound Unix sockets
};

}  // namespace loopsim::libuv
