// uv_poll_t, on the descriptors of socketpair(): libuv src/unix/poll.c.
#pragma once

#include <cstdint>
#include <deque>

#include "sim/libuv/objects.hpp"
#include "sim/libuv/sockets.hpp"

namespace loopsim::libuv {

class Process;

class Polls {
 public:
  explicit Polls(Process& process) : process_(process) {}
  Polls(const Polls&) = delete;
  Polls& operator=(const Polls&) = delete;

  // Whether a handle for the socket may be made: 0, or an error.
  [[nodiscard]] int may_watch(std::uint32_t socket) const;
  std::uint32_t make(std::uint32_t socket);  // its number, Handle::part
  // `events`: UV_READABLE (1), UV_WRITABLE (2), UV_DISCONNECT (4).
  int start(std::uint32_t handle, const runtime::Callback& callback, int events);
  int stop(std::uint32_t handle);

  // ---- the loop's queries and reports (uv::Host) ----------------------------------------------------------------------
  [[nodiscard]] std::uint8_t watched_for(std::uint32_t handle) const;
  [[nodiscard]] std::uint8_t state(std::uint32_t handle) const;
  void on_io(std::uint32_t handle, std::uint8_t events);

 private:
  struct Poll {
    std::uint32_t socket = kNone;
    std::uint8_t watched = 0;  // io_watcher.pevents
  };
  [[nodiscard]] Poll& of(std::uint32_t handle);
  [[nodiscard]] const Poll& of(std::uint32_t handle) const;
  [[nodiscard]] bool is_watched(std::uint32_t socket) const;

  Process& process_;
  std::deque<Poll> polls_;
};

}  // namespace loopsim::libuv
