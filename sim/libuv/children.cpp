#include "sim/libuv/children.hpp"

#include <array>
#include <utility>

#include "loopsim/assert.hpp"

#include "sim/libuv/process.hpp"

namespace loopsim::libuv {

Children::Child& Children::of(std::uint32_t handle) {
  LOOPSIM_ASSERT(process_.kind(handle) == HandleKind::process);
  return children_[process_.handles_[handle].part];
}

std::uint32_t Children::make(std::uint32_t handle) {
  children_.emplace_back().handle = handle;
  return static_cast<std::uint32_t>(children_.size() - 1);
}

int Children::spawn(std::uint32_t handle, const runtime::Callback& callback, TimeNs duration, int code, int error) {
  watches_ = true;
  if (error != 0) {
    process_.loop_.raise({uv::kSigChld, 0, process_.machine_.now()});
    return error;
  }
  const std::uint32_t index = process_.handles_[handle].part;
  Child& child = children_[index];
  child.is_running = true;
  child.code = code;
  waited_for_.push_back(index);
  Handle& base = process_.handles_[handle];
  base.is_started = true;
  process_.set_active(base, true);
  if (callback.place != kNone) process_.replace_callback(base, callback);
  process_.machine_.schedule(
      {process_.machine_.now() + duration, process_.machine_.next_order(), FutureEvent::Kind::child_ends, index});
  return 0;
}

// The process has ended; SIGCHLD reports it to the loop.
void Children::end(Child& child, TimeNs at, int code, int signal) {
  if (!child.is_running || std::exchange(child.is_gone, true)) return;  // it was killed earlier
  child.ended_at = at;
  child.code = code;
  child.signal = signal;
  if (watches_) process_.loop_.raise({uv::kSigChld, 0, at});
}

void Children::on_time_over(std::uint32_t index, TimeNs at) { end(children_[index], at, children_[index].code, 0); }

int Children::kill(std::uint32_t handle, const SignalInfo& signal) {
  Child& child = of(handle);
  if (!child.is_running || child.is_reaped) return kUvEsrch;
  if (signal.ends_process) end(child, process_.machine_.now(), 0, signal.number);
  return 0;
}

// uv__process_close.
void Children::close(std::uint32_t handle) {
  const std::uint32_t index = process_.handles_[handle].part;
  std::erase(waited_for_, index);
  Handle& base = process_.handles_[handle];
  if (std::exchange(base.is_started, false)) process_.set_active(base, false);
  if (index != next_told_) process_.forget_callback(base);
  if (waited_for_.empty()) watches_ = false;
}

// All that have ended are waited for before the first is told. The next one to tell is known before the callback of the one before it.
void Children::on_signal() {
  if (!watches_) return;
  std::vector<std::uint32_t> gone;
  for (const std::uint32_t index : waited_for_) {
    if (!children_[index].is_gone) continue;
    children_[index].is_reaped = true;
    gone.push_back(index);
  }
  std::erase_if(waited_for_, [&](std::uint32_t index) { return children_[index].is_gone; });
  const auto next = [&](std::size_t i) {
    while (i < gone.size() && process_.handles_[children_[gone[i]].handle].closing) ++i;
    return i;
  };
  for (std::size_t i = next(0); i < gone.size() && !process_.ending_.stopping();) {
    const std::size_t then = next(i + 1);
    next_told_ = then < gone.size() ? gone[then] : kNone;
    const Child& child = children_[gone[i]];
    Handle& base = process_.handles_[child.handle];
    if (std::exchange(base.is_started, false)) process_.set_active(base, false);
    if (base.callback.place != kNone) {
      const std::array more = {runtime::Value::of_number(child.code), runtime::Value::of_number(child.signal)};
      process_.run_last(child.handle, child.ended_at, more);
    }
    i = then;
  }
  next_told_ = kNone;
}

}  // namespace loopsim::libuv
