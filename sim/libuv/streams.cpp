#include "sim/libuv/streams.hpp"

#include <array>
#include <utility>

#include "loopsim/assert.hpp"

#include "sim/libuv/process.hpp"
#include "sim/runtime/received.hpp"

namespace loopsim::libuv {

using uv::IoEvents;

namespace {
constexpr std::size_t kBuffer = 64 * 1024;  // what alloc_cb is asked for
constexpr int kMostReads = 32, kMostWrites = 32;
}  // namespace

Streams::Stream& Streams::of(std::uint32_t handle) {
  LOOPSIM_ASSERT(process_.kind(handle) == HandleKind::tcp || process_.kind(handle) == HandleKind::pipe);
  return streams_[process_.handles_[handle].part];
}
const Streams::Stream& Streams::of(std::uint32_t handle) const {
  LOOPSIM_ASSERT(process_.kind(handle) == HandleKind::tcp || process_.kind(handle) == HandleKind::pipe);
  return streams_[process_.handles_[handle].part];
}
Handle& Streams::base(std::uint32_t handle) { return process_.handles_[handle]; }
bool Streams::stopping() const { return process_.ending_.stopping(); }

std::uint32_t Streams::make() {
  streams_.emplace_back();
  return static_cast<std::uint32_t>(streams_.size() - 1);
}

// ---- the watcher (libuv src/unix/core.c) ----------------------------------------------------------------------------

void Streams::open(std::uint32_t handle, std::uint32_t socket) {
  of(handle).socket = socket;
  process_.sockets_.watch_by(socket, handle);
}

void Streams::open_tcp(std::uint32_t handle) {
  if (of(handle).socket == kNone) open(handle, process_.sockets_.make(SocketFamily::tcp));
}

void Streams::start_io(std::uint32_t handle, std::uint8_t events) {
  Stream& stream = of(handle);
  if ((stream.watched & events) == events) return;
  stream.watched |= events;
  process_.loop_.rewatch(handle);
}

void Streams::stop_io(std::uint32_t handle, std::uint8_t events) {
  Stream& stream = of(handle);
  if (stream.socket == kNone || (stream.watched & events) == 0) return;
  stream.watched &= static_cast<std::uint8_t>(~events);
  if (stream.watched == 0)
    process_.loop_.stop_watching(handle);
  else
    process_.loop_.rewatch(handle);
}

void Streams::feed(std::uint32_t handle) {
  if (!std::exchange(of(handle).is_fed, true)) process_.loop_.feed_pending(handle);
}

void Streams::set_started(std::uint32_t handle, bool started) {
  if (std::exchange(base(handle).is_started, started) != started) process_.set_active(base(handle), started);
}

void Streams::stop_unless_writing(std::uint32_t handle) {
  if (process_.setup_.libuv.eof_keeps_shutdown && (of(handle).watched & IoEvents::out) != 0) return;
  set_started(handle, false);
}

std::uint8_t Streams::state(std::uint32_t handle) const {
  const std::uint32_t socket = of(handle).socket;
  return socket == kNone ? 0 : process_.sockets_.state(socket);
}

// ---- servers and connections ----------------------------------------------------------------------------------------

int Streams::bind(std::uint32_t handle, std::uint16_t port) {
  if (base(handle).closing) return kUvEinval;
  open_tcp(handle);
  Stream& stream = of(handle);
  if (!process_.setup_.libuv.sides_are_known) stream.readable = stream.writable = true;
  const int error = process_.sockets_.bind(stream.socket, port);
  if (error != 0 && error != kUvEaddrinuse) return error;
  stream.delayed_error = error;
  return 0;
}

int Streams::bind(std::uint32_t handle, std::string_view path) {
  if (of(handle).socket != kNone || base(handle).closing) return kUvEinval;
  const std::uint32_t socket = process_.sockets_.make(SocketFamily::unix_);
  if (const int error = process_.sockets_.bind(socket, path); error != 0) return error;
  of(handle).path = path;
  open(handle, socket);
  return 0;
}

int Streams::listen(std::uint32_t handle, const runtime::Callback& callback) {
  Stream& stream = of(handle);
  if (base(handle).kind == HandleKind::tcp) {
    if (stream.delayed_error != 0) return stream.delayed_error;
    open_tcp(handle);
  } else if (stream.socket == kNone) {
    return kUvEinval;
  }
  if (const int error = process_.sockets_.listen(stream.socket); error != 0) return error;
  if (base(handle).kind == HandleKind::tcp && !process_.setup_.libuv.sides_are_known) stream.readable = true;
  process_.replace_callback(base(handle), callback);
  stream.is_server = true;
  start_io(handle, IoEvents::in);
  set_started(handle, true);
  return 0;
}

// uv__server_io: one connection, or all that wait.
void Streams::accept_waiting(std::uint32_t handle) {
  do {
    const std::uint32_t socket = process_.sockets_.accept(of(handle).socket);
    if (socket == kNone) return;
    of(handle).accepted = socket;
    const std::array more = {runtime::Value::of_number(0)};
    process_.run_repeated(handle, process_.sockets_[socket].since, more);
    if (stopping() || of(handle).socket == kNone) return;
    if (of(handle).accepted != kNone) return stop_io(handle, IoEvents::in);  // until uv_accept takes it
  } while (!process_.setup_.libuv.accepts_one_per_turn);
}

int Streams::accept(std::uint32_t server, std::uint32_t client) {
  const std::uint32_t socket = std::exchange(of(server).accepted, kNone);
  if (socket == kNone) return kUvEagain;
  if (of(client).socket != kNone) {
    process_.sockets_.close(socket);
    return kUvEbusy;
  }
  open(client, socket);
  of(client).readable = of(client).writable = true;
  start_io(server, IoEvents::in);
  return 0;
}

void Streams::begin_connect(std::uint32_t handle, std::uint32_t request) {
  process_.begin_request(request);
  of(handle).connect_request = request;
}

int Streams::connect(std::uint32_t handle, std::uint32_t request, std::uint16_t port) {
  if (of(handle).connect_request != kNone) return kUvEalready;
  if (!process_.setup_.libuv.bind_fails_connect) of(handle).delayed_error = 0;
  if (of(handle).delayed_error == 0) {
    open_tcp(handle);
    of(handle).readable = of(handle).writable = true;
    const int error = process_.sockets_.connect(of(handle).socket, port);
    if (error != 0 && error != kUvEconnrefused) return error;
    of(handle).delayed_error = error;
  }
  begin_connect(handle, request);
  start_io(handle, IoEvents::out);
  if (of(handle).delayed_error != 0) feed(handle);
  return 0;
}

void Streams::connect(std::uint32_t handle, std::uint32_t request, std::string_view path) {
  const bool is_new = of(handle).socket == kNone;
  if (is_new) open(handle, process_.sockets_.make(SocketFamily::unix_));
  const int error = process_.sockets_.connect(of(handle).socket, path);
  if (error == 0) {
    if (is_new) of(handle).readable = of(handle).writable = true;
    start_io(handle, IoEvents::out | (process_.setup_.libuv.pipe_connect_reads ? IoEvents::in : 0));
  }
  of(handle).delayed_error = error;
  begin_connect(handle, request);
  if (error != 0) feed(handle);
}

// uv__stream_connect.
void Streams::finish_connect(std::uint32_t handle) {
  Stream& stream = of(handle);
  const int delayed = std::exchange(stream.delayed_error, 0);
  const int error = delayed != 0 ? delayed : process_.sockets_.take_error(stream.socket);
  const std::uint32_t request = std::exchange(stream.connect_request, kNone);
  if (error < 0 || stream.writes.empty()) stop_io(handle, IoEvents::out);
  process_.finish_request(request, error);
  if (stopping() || stream.socket == kNone || error == 0) return;
  for (Write& write : stream.writes) write.error = kUvEcanceled;
  std::ranges::move(stream.writes, std::back_inserter(stream.written));
  stream.writes.clear();
  tell_written(handle);
}

// ---- events ---------------------------------------------------------------------------------------------------------

// uv__io_poll: events that it no longer waits for are not reported, except errors.
void Streams::on_io(std::uint32_t handle, std::uint8_t events) {
  const std::uint8_t watched = of(handle).watched;
  events &= watched | IoEvents::hup | IoEvents::err;
  if (events == IoEvents::hup || events == IoEvents::err) events |= watched;
  if (events == 0) return;
  if (of(handle).is_server) return accept_waiting(handle);
  stream_io(handle, events);
}

void Streams::on_pending(std::uint32_t handle) {
  of(handle).is_fed = false;
  stream_io(handle, IoEvents::out);
}

// uv__stream_io.
void Streams::stream_io(std::uint32_t handle, std::uint8_t events) {
  Stream& stream = of(handle);
  const bool old = process_.setup_.libuv.hup_ends_reading;
  if (stream.connect_request != kNone) return finish_connect(handle);
  if ((events & (IoEvents::in | IoEvents::err | (old ? IoEvents::hup : 0))) != 0) read(handle);
  if (stopping() || stream.socket == kNone) return;
  const bool may_end = old ? stream.partial : (events & IoEvents::in) == 0;
  if ((events & IoEvents::hup) != 0 && may_end && stream.reading && !stream.at_end) tell_end(handle);
  if (stopping() || stream.socket == kNone) return;
  if ((events & (IoEvents::out | IoEvents::err | IoEvents::hup)) == 0) return;
  write_queued(handle);
  tell_written(handle);
  if (!stopping() && stream.writes.empty()) drain(handle);
}

// ---- reading --------------------------------------------------------------------------------------------------------

int Streams::read_start(std::uint32_t handle, const runtime::Callback& callback) {
  const LibuvProfile& libuv = process_.setup_.libuv;
  Stream& stream = of(handle);
  if (base(handle).closing) return kUvEinval;
  if (libuv.reading_twice_fails && stream.reading) return kUvEalready;
  if (libuv.sides_are_known && !stream.readable) return kUvEnotconn;
  if (stream.socket == kNone) {
    process_.abort("uv_read_start: Assertion `uv__stream_fd(stream) >= 0' failed");
    return 0;
  }
  stream.reading = true;
  if (libuv.reading_twice_fails) stream.at_end = false;
  process_.replace_callback(base(handle), callback);
  start_io(handle, IoEvents::in);
  set_started(handle, true);
  return 0;
}

int Streams::read_stop(std::uint32_t handle) {
  if (!std::exchange(of(handle).reading, false)) return 0;
  stop_io(handle, IoEvents::in);
  stop_unless_writing(handle);
  process_.forget_callback(base(handle));
  return 0;
}

// uv__read: as much as a buffer holds, and more as long as it fills it.
void Streams::read(std::uint32_t handle) {
  Stream& stream = of(handle);
  std::string bytes;
  for (int reads = 0; reads < kMostReads && stream.reading; ++reads) {
    const TimeNs since = process_.sockets_[stream.socket].received_at;
    const int count = process_.sockets_.read(stream.socket, kBuffer, bytes);
    if (count == 0) return tell_end(handle);
    if (count == kUvEagain) return tell_read(handle, 0, {}, -1, true);
    if (count < 0) {
      if (process_.setup_.libuv.error_ends_sides) stream.readable = stream.writable = false;
      tell_read(handle, count, {}, process_.sockets_[stream.socket].ended_at, false);
      if (!stopping() && std::exchange(stream.reading, false)) {
        stop_io(handle, IoEvents::in);
        stop_unless_writing(handle);
      }
      return;
    }
    tell_read(handle, count, bytes, since, true);
    if (stopping()) return;
    if (bytes.size() < kBuffer) {
      stream.partial = true;
      return;
    }
  }
}

// uv__stream_eof.
void Streams::tell_end(std::uint32_t handle) {
  const LibuvProfile& libuv = process_.setup_.libuv;
  Stream& stream = of(handle);
  stream.at_end = true;
  if (!libuv.eof_stops_reading_late) stream.reading = false;
  if (libuv.eof_ends_readable) stream.readable = false;
  stop_io(handle, IoEvents::in);
  stop_unless_writing(handle);
  tell_read(handle, kUvEof, {}, process_.sockets_[stream.socket].ended_at, false);
  if (libuv.eof_stops_reading_late) stream.reading = false;
}

// `stays`: the callback waits for more.
void Streams::tell_read(std::uint32_t handle, int count, std::string_view bytes, TimeNs since, bool stays) {
  if (count > 0 || count == kUvEof) runtime::trace_received(process_.tracer_, base(handle).label, bytes);
  const runtime::Value text = process_.engine_.make_text(bytes);
  const std::array more = {runtime::Value::of_number(count), text};
  if (stays)
    process_.run_repeated(handle, since, more);
  else
    process_.run_last(handle, since, more);
  process_.engine_.drop(text);
}

// ---- writing --------------------------------------------------------------------------------------------------------

int Streams::write(std::uint32_t handle, std::uint32_t request, std::string_view bytes) {
  Stream& stream = of(handle);
  if (stream.socket == kNone) return kUvEbadf;
  if (process_.setup_.libuv.sides_are_known && !stream.writable) return kUvEpipe;
  const bool was_empty = stream.queued == 0;
  process_.begin_request(request);
  stream.queued += bytes.size();
  stream.writes.push_back({request, std::string(bytes), bytes.size(), 0});
  if (stream.connect_request != kNone) return 0;
  if (was_empty)
    write_queued(handle);
  else
    start_io(handle, IoEvents::out);
  return 0;
}

// To libuv 1.40 it is a write whose request is taken back.
int Streams::try_write(std::uint32_t handle, std::string_view bytes) {
  const LibuvProfile& libuv = process_.setup_.libuv;
  Stream& stream = of(handle);
  if (stream.connect_request != kNone || stream.queued != 0) return kUvEagain;
  if (stream.socket == kNone) return kUvEbadf;
  if (libuv.sides_are_known && !stream.writable) return kUvEpipe;
  const int count = process_.sockets_.send(stream.socket, bytes);
  if (!libuv.writes_are_queued) return count;
  const bool is_done = count == static_cast<int>(bytes.size());
  if (is_done || (count < 0 && count != kUvEagain)) feed(handle);
  if (count < 0 && count != kUvEagain) {
    stop_io(handle, IoEvents::out);
    if ((stream.watched & IoEvents::in) == 0) set_started(handle, false);
    return libuv.failed_write_is_late ? kUvEagain : count;
  }
  return count;
}

// uv__write.
void Streams::write_queued(std::uint32_t handle) {
  Stream& stream = of(handle);
  for (int writes = 0; !stream.writes.empty(); ++writes) {
    Write& first = stream.writes.front();
    const int count = process_.sockets_.send(stream.socket, first.rest);
    if (count < 0 && count != kUvEagain) {
      finish_write(handle, count);
      stop_io(handle, IoEvents::out);
      if (process_.setup_.libuv.writes_are_queued && (stream.watched & IoEvents::in) == 0) set_started(handle, false);
      return;
    }
    if (count > 0) {
      first.rest.erase(0, static_cast<std::size_t>(count));
      stream.queued -= static_cast<std::size_t>(count);
    }
    if (!first.rest.empty()) return start_io(handle, IoEvents::out);
    finish_write(handle, 0);
    if (!process_.setup_.libuv.writes_go_on || writes >= kMostWrites) return;
  }
}

// uv__write_req_finish.
void Streams::finish_write(std::uint32_t handle, int error) {
  Stream& stream = of(handle);
  Write write = std::move(stream.writes.front());
  stream.writes.pop_front();
  write.error = error;
  stream.written.push_back(std::move(write));
  feed(handle);
}

// uv__write_callbacks.
void Streams::tell_written(std::uint32_t handle) {
  Stream& stream = of(handle);
  std::deque<Write> told = std::exchange(stream.written, {});
  while (!told.empty() && !stopping()) {
    const Write write = std::move(told.front());
    told.pop_front();
    stream.queued -= write.rest.size();
    process_.finish_request(write.request, write.error);
    if (told.empty() && process_.setup_.libuv.written_may_follow) told = std::exchange(stream.written, {});
  }
}

int Streams::shutdown(std::uint32_t handle, std::uint32_t request) {
  const LibuvProfile& libuv = process_.setup_.libuv;
  Stream& stream = of(handle);
  if (!stream.writable || stream.shut || stream.shutting || base(handle).closing) return kUvEnotconn;
  process_.begin_request(request);
  stream.shutdown_request = request;
  stream.shutting = true;
  if (libuv.shutdown_ends_writable) stream.writable = false;
  if (libuv.shutdown_in_poll)
    start_io(handle, IoEvents::out);
  else if (stream.writes.empty())
    feed(handle);
  return 0;
}

// uv__drain.
void Streams::drain(std::uint32_t handle) {
  Stream& stream = of(handle);
  if (!base(handle).closing) stop_io(handle, IoEvents::out);
  if (!stream.shutting || (stream.shut && !base(handle).closing)) return;
  const std::uint32_t request = std::exchange(stream.shutdown_request, kNone);
  stream.shutting = false;
  const int error = base(handle).closing ? kUvEcanceled : process_.sockets_.shut_down(stream.socket);
  if (error == 0) stream.shut = true;
  process_.finish_request(request, error);
}

// ---- the end --------------------------------------------------------------------------------------------------------

int Streams::may_reset(std::uint32_t handle) const {
  const Stream& stream = of(handle);
  if (stream.shutting) return kUvEinval;
  return stream.socket == kNone ? kUvEbadf : 0;
}

void Streams::close(std::uint32_t handle, bool resets) {
  Stream& stream = of(handle);
  if (!stream.path.empty()) process_.sockets_.unlink(stream.path);
  stream.watched = 0;
  process_.loop_.unwatch(handle);
  if (std::exchange(stream.is_fed, false)) process_.loop_.unfeed_pending(handle);
  stream.reading = stream.readable = stream.writable = false;
  process_.forget_callback(base(handle));
  set_started(handle, false);
  const std::uint32_t socket = std::exchange(stream.socket, kNone);
  const std::uint32_t accepted = std::exchange(stream.accepted, kNone);
  if (socket != kNone) process_.sockets_.close(socket, resets);
  if (accepted != kNone) process_.sockets_.close(accepted);
}

void Streams::destroy(std::uint32_t handle) {
  Stream& stream = of(handle);
  if (const std::uint32_t request = std::exchange(stream.connect_request, kNone); request != kNone) {
    if (!process_.has_callback(request))
      return process_.abort("uv__stream_destroy: calls the callback of the cancelled connect request, which has none");
    process_.finish_request(request, kUvEcanceled);
  }
  for (Write& write : stream.writes) {
    write.error = kUvEcanceled;
    stream.written.push_back(std::move(write));
  }
  stream.writes.clear();
  tell_written(handle);
  if (!stopping()) drain(handle);
}

}  // namespace loopsim::libuv
