// The handles and requests of a program for libuv alone.
#pragma once

#include <cstdint>
#include <string_view>

#include "loopsim/time.hpp"
#include "loopsim/trace.hpp"

#include "sim/runtime/value.hpp"
#include "sim/uv/handle.hpp"

namespace loopsim::libuv {

enum class HandleKind : std::uint8_t { timer, idle, prepare, check, async, signal, tcp, pipe, poll, process };
[[nodiscard]] std::string_view to_string(HandleKind kind);  // "uv_timer_t"

struct Handle {
  HandleKind kind = HandleKind::timer;
  bool closing = false, closed = false;
  bool referenced = true;          // timers and phase handles keep it in `timer` and `phase`
  bool is_started = false;         // streams, poll handles, processes: active
  bool is_sent = false;            // async
  bool once = false;               // signal
  int signal = 0;                  // watched for; 0: none
  bool kept_active = false;        // signal, stopped: until it has got the signals on the way
  std::uint32_t undispatched = 0;  // messages of signals on the way to it, which closing waits for
  std::uint32_t part = kNone;      // number of its stream, poll watcher or process
  std::uint32_t label = kNoName;
  std::uint64_t entry = 0;  // of an async handle that was sent, in the trace
  TimeMs due = 0;           // of a timer: of the start before the loop's own
  TimeNs sent_at = -1;
  runtime::Callback callback, close_callback;
  uv::Timer timer;
  uv::Handle phase;
};

struct Request {
  enum class Kind : std::uint8_t { work, fs, getaddrinfo, connect, write, shutdown } kind = Kind::work;
  enum class State : std::uint8_t { queued, running, done, cancelled } state = State::queued;
  int error = 0;               // with which fs and getaddrinfo end
  std::string_view operation;  // of fs: "stat"
  std::uint32_t label = kNoName;
  runtime::Callback callback;
};
[[nodiscard]] std::string_view to_string(Request::Kind kind);  // "uv_work_t"

}  // namespace loopsim::libuv
