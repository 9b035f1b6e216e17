// uv_process_t: libuv src/unix/process.c. A child runs for a given time, and takes no part in anything else.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "loopsim/verbs.hpp"

#include "sim/libuv/objects.hpp"

namespace loopsim::libuv {

class Process;

class Children {
 public:
  explicit Children(Process& process) : process_(process) {}
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  std::uint32_t make(std::uint32_t handle);  // its number, Handle::part
  // `error`: what exec() says; the child that could not become the command has ended.
  int spawn(std::uint32_t handle, const runtime::Callback& callback, TimeNs duration, int code, int error);
  int kill(std::uint32_t handle, const SignalInfo& signal);
  void close(std::uint32_t handle);

  void on_time_over(std::uint32_t child, TimeNs at);  // by its number
  void on_signal();                                   // SIGCHLD: uv__wait_children

 private:
  struct Child {
    std::uint32_t handle = kNone;
    bool is_running = false, is_gone = false, is_reaped = false;
    int code = 0, signal = 0;  // the signal that ended it; 0: none
    TimeNs ended_at = 0;
  };
  void end(Child& child, TimeNs at, int code, int signal);
  [[nodiscard]] Child& of(std::uint32_t handle);

  Process& process_;
  std::deque<Child> children_;
  std::vector<std::uint32_t> waited_for_;  // process_handles
  bool watches_ = false;                   // SIGCHLD has a handler
  std::uint32_t next_told_ = kNone;        // by on_signal(), even if it is closed meanwhile
};

}  // namespace loopsim::libuv
