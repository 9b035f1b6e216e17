#include "sim/libuv/polls.hpp"

#include <array>
#include <utility>

#include "loopsim/assert.hpp"

#include "sim/libuv/process.hpp"

namespace loopsim::libuv {

using uv::IoEvents;

namespace {
constexpr int kReadable = 1, kWritable = 2, kDisconnect = 4;
}  // namespace

Polls::Poll& Polls::of(std::uint32_t handle) {
  LOOPSIM_ASSERT(process_.kind(handle) == HandleKind::poll);
  return polls_[process_.handles_[handle].part];
}
const Polls::Poll& Polls::of(std::uint32_t handle) const {
  LOOPSIM_ASSERT(process_.kind(handle) == HandleKind::poll);
  return polls_[process_.handles_[handle].part];
}

bool Polls::is_watched(std::uint32_t socket) const { return process_.sockets_[socket].watcher != kNone; }

int Polls::may_watch(std::uint32_t socket) const {
  return process_.setup_.libuv.poll_init_checks && is_watched(socket) ? kUvEexist : 0;
}

std::uint32_t Polls::make(std::uint32_t socket) {
  polls_.push_back({socket, 0});
  return static_cast<std::uint32_t>(polls_.size() - 1);
}

int Polls::start(std::uint32_t handle, const runtime::Callback& callback, int events) {
  Poll& poll = of(handle);
  const std::uint32_t watcher = process_.sockets_[poll.socket].watcher;
  if (watcher != kNone && watcher != handle) {
    if (process_.setup_.libuv.poll_start_checks) return kUvEexist;
    process_.abort("uv_poll_start: another handle watches this descriptor");
    return 0;
  }
  stop(handle);
  poll.watched = static_cast<std::uint8_t>(((events & kReadable) != 0 ? IoEvents::in : 0) |
                                           ((events & kWritable) != 0 ? IoEvents::out : 0) |
                                           ((events & kDisconnect) != 0 ? IoEvents::rdhup : 0));
  process_.sockets_.watch_by(poll.socket, handle);
  process_.loop_.rewatch(handle);
  Handle& base = process_.handles_[handle];
  base.is_started = true;
  process_.set_active(base, true);
  process_.replace_callback(base, callback);
  return 0;
}

int Polls::stop(std::uint32_t handle) {
  Poll& poll = of(handle);
  Handle& base = process_.handles_[handle];
  const std::uint32_t watcher = process_.sockets_[poll.socket].watcher;
  if (!process_.setup_.libuv.poll_start_checks && watcher != kNone && watcher != handle) {
    process_.abort("uv__io_stop: Assertion `loop->watchers[w->fd] == w' failed");
    return 0;
  }
  poll.watched = 0;
  if (process_.setup_.libuv.poll_stop_forgets || base.closing)
    process_.loop_.unwatch(handle);
  else
    process_.loop_.stop_watching(handle);
  if (process_.sockets_[poll.socket].watcher == handle) process_.sockets_.watch_by(poll.socket, kNone);
  if (std::exchange(base.is_started, false)) process_.set_active(base, false);
  process_.forget_callback(base);
  return 0;
}

std::uint8_t Polls::watched_for(std::uint32_t handle) const { return of(handle).watched; }
std::uint8_t Polls::state(std::uint32_t handle) const { return process_.sockets_.state(of(handle).socket); }

// uv__io_poll and uv__poll_io.
void Polls::on_io(std::uint32_t handle, std::uint8_t events) {
  const Poll& poll = of(handle);
  events &= poll.watched | IoEvents::hup | IoEvents::err;
  if (events == IoEvents::hup || events == IoEvents::err) events |= poll.watched;
  if (events == 0) return;
  const Socket& socket = process_.sockets_[poll.socket];
  const TimeNs since = !socket.received.empty() ? socket.received_at : socket.ended_at;
  if ((events & IoEvents::err) != 0) {
    const runtime::Callback callback = process_.handles_[handle].callback;
    process_.handles_[handle].callback = {};
    stop(handle);
    process_.handles_[handle].callback = callback;
    const std::array more = {runtime::Value::of_number(kUvEbadf), runtime::Value::of_number(0)};
    return process_.run_last(handle, since, more);
  }
  const int told = ((events & IoEvents::in) != 0 ? kReadable : 0) | ((events & IoEvents::out) != 0 ? kWritable : 0) |
                   ((events & IoEvents::rdhup) != 0 ? kDisconnect : 0);
  const bool waits = told != kWritable;  // that it is writable is no event with a time
  const std::array more = {runtime::Value::of_number(0), runtime::Value::of_number(told)};
  process_.run_repeated(handle, waits ? since : -1, more);
}

}  // namespace loopsim::libuv
