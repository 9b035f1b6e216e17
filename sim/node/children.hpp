// Child processes (lib/internal/child_process.js, src/process_wrap.cc; libuv src/unix/process.c).
//
// Their input and output are ignored, so only their end is reported: by SIGCHLD, on which libuv reaps all ended
// children, in the order of their start.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/scenario.hpp"

#include "sim/node/context.hpp"
#include "sim/node/task_queue.hpp"

namespace loopsim::node {

class Children : public Part {
 public:
  using Part::Part;

  // child_process.spawn() of a command that runs `duration` ns and ends with `code`; and of a missing command, which
  // fails at once and is reported by a tick. Both return the emitter; the caller owns a reference to it. The text must
  // live as long as the run.
  std::uint32_t spawn(std::string_view command, std::uint32_t label, TimeNs duration, int code);
  std::uint32_t spawn_missing(std::string_view command, std::uint32_t label);
  // The same for a language whose own library has the child's object, as lib/internal/child_process.js does, and gets its end by
  // Engine::child_report(). Numbers are never used again. A handle that is kNone: it has no such pipe.
  struct RawChild {
    TimeNs duration = -1;  // less than 0: there is no such command
    int code = 0;
    int signal = 0;  // that it ends by
    struct Pipe {
      std::uint32_t handle = kNone;  // of RawHandles::make_pipe()
      std::string output;            // printed at its end
    };
    std::array<Pipe, 3> pipes;
  };
  std::uint32_t start(RawChild given);
  void close(std::uint32_t child);
  [[nodiscard]] std::uint32_t child_of(const Value& value) const {
    return value.tag == Tag::emitter ? heap_.emitters[value.index].child : kNone;
  }
  [[nodiscard]] bool is_running(std::uint32_t child) const {
    return heap_.children[child].has_handle && !heap_.children[child].is_reaped;
  }
  // child.kill(): false after its end was noticed (ESRCH, or no handle).
  bool kill(std::uint32_t child, const SignalInfo& signal);
  void reference(std::uint32_t child, bool is_referenced);
  // The machine reports the end of its duration.
  void on_time_over(std::uint32_t child, TimeNs at);
  void reap();  // on SIGCHLD
  Flow run_tick(const Tick& tick);

 private:
  std::uint32_t make(std::string_view command, std::uint32_t label);
  void end(std::uint32_t child, TimeNs at, int code, int signal);
  void report_ended(std::uint32_t child);
  void close_pipes(std::uint32_t child, bool prints);
  void queue_flush(std::uint32_t child);
  Flow emit_end(std::uint32_t child, std::string_view event);

  std::vector<std::uint32_t> running_;  // children with a handle, in the order of their start
};

}  // namespace loopsim::node
