#include "sim/libuv/sockets.hpp"

#include <algorithm>
#include <utility>

#include "loopsim/libuv.hpp"

#include "sim/machine/socket_buffer.hpp"

namespace loopsim::libuv {

namespace {
// Of a server without a port: the kernel gives it one that nobody knows.
constexpr std::uint16_t kAutomaticPort = 0xffff;
}  // namespace

std::uint32_t Sockets::make(SocketFamily family) {
  sockets_.emplace_back().family = family;
  return static_cast<std::uint32_t>(sockets_.size() - 1);
}

std::uint32_t Sockets::make_pair() {
  const std::uint32_t first = make(SocketFamily::unix_), second = make(SocketFamily::unix_);
  sockets_[first].peer = second;
  sockets_[second].peer = first;
  sockets_[first].was_connected = sockets_[second].was_connected = true;
  return first;
}

// A handle that is ready may be so for something new: the loop looks.
void Sockets::report(std::uint32_t socket) {
  if (sockets_[socket].watcher != kNone) loop_.report_ready(sockets_[socket].watcher);
}

// ---- servers and clients --------------------------------------------------------------------------------------------

std::uint32_t Sockets::listener_at(std::uint16_t port) const {
  const auto found = std::ranges::find_if(listeners_, [&](std::uint32_t socket) {
    return sockets_[socket].family == SocketFamily::tcp && sockets_[socket].port == port;
  });
  return found == listeners_.end() ? kNone : *found;
}

std::uint32_t Sockets::listener_at(std::string_view path) const {
  const auto found = std::ranges::find_if(
      listeners_, [&](std::uint32_t socket) { return !path.empty() && sockets_[socket].path == path; });
  return found == listeners_.end() ? kNone : *found;
}

// Two may have a port, with SO_REUSEADDR, while none of them listens.
int Sockets::bind(std::uint32_t socket, std::uint16_t port) {
  if (sockets_[socket].port != 0 || sockets_[socket].was_connected) return kUvEinval;
  if (listener_at(port) != kNone) return kUvEaddrinuse;
  sockets_[socket].port = port;
  return 0;
}

int Sockets::bind(std::uint32_t socket, std::string_view path) {
  if (std::ranges::find(files_, path) != files_.end()) return kUvEaddrinuse;
  files_.emplace_back(path);
  sockets_[socket].path = path;
  return 0;
}

void Sockets::unlink(std::string_view path) { std::erase(files_, path); }

int Sockets::listen(std::uint32_t index) {
  Socket& socket = sockets_[index];
  if (socket.was_connected) return kUvEinval;
  if (socket.is_listening) return 0;
  if (socket.family == SocketFamily::tcp && socket.port != 0 && listener_at(socket.port) != kNone) return kUvEaddrinuse;
  if (socket.family == SocketFamily::tcp && socket.port == 0) socket.port = kAutomaticPort;
  socket.is_listening = true;
  listeners_.push_back(index);
  return 0;
}

void Sockets::meet(std::uint32_t index, std::uint32_t listener) {
  const std::uint32_t other = make(sockets_[index].family);
  sockets_[index].was_connected = sockets_[other].was_connected = true;
  sockets_[index].peer = other;
  sockets_[other].peer = index;
  sockets_[other].since = loop_.moment();
  sockets_[listener].backlog.push_back(other);
  report(listener);
}

// net/ipv4/af_inet.c: a further connect() tells what has become of the first; only then does a socket whose connection is gone begin
// anew.
int Sockets::connect(std::uint32_t index, std::uint16_t port) {
  Socket& socket = sockets_[index];
  if (socket.is_listening || socket.state == Socket::State::connected) return kUvEisconn;
  if (socket.state == Socket::State::disconnecting) return kUvEinval;
  if (socket.was_connected && socket.is_reset) {
    const int error = take_error(index);
    socket.state = Socket::State::unconnected;
    socket.was_connected = socket.is_reset = socket.received_end = socket.sent_end = socket.told_end = false;
    return error != 0 ? error : kUvEconnaborted;
  }
  if (socket.was_connected) {
    socket.state = Socket::State::connected;
    return 0;
  }
  socket.state = Socket::State::connecting;
  if (const std::uint32_t listener = listener_at(port); listener != kNone) {
    meet(index, listener);
    return 0;
  }
  socket.was_connected = socket.is_reset = true;
  socket.error = kUvEconnrefused;
  socket.ended_at = loop_.moment();
  return 0;
}

// net/unix/af_unix.c, unix_stream_connect(): whom it is for is looked up first.
int Sockets::connect(std::uint32_t index, std::string_view path) {
  if (std::ranges::find(files_, path) == files_.end()) return kUvEnoent;
  const std::uint32_t listener = listener_at(path);
  if (listener == kNone) return kUvEconnrefused;
  if (sockets_[index].is_listening) return kUvEinval;
  if (sockets_[index].was_connected) return kUvEisconn;
  meet(index, listener);
  return 0;
}

std::uint32_t Sockets::connect_from_outside(std::uint16_t port) {
  const std::uint32_t listener = listener_at(port);
  if (listener == kNone) return kNone;
  const std::uint32_t client = make(SocketFamily::tcp);
  sockets_[client].is_outside = true;
  meet(client, listener);
  return client;
}

std::uint32_t Sockets::accept(std::uint32_t index) {
  std::deque<std::uint32_t>& backlog = sockets_[index].backlog;
  if (backlog.empty()) return kNone;
  const std::uint32_t first = backlog.front();
  backlog.pop_front();
  sockets_[first].port = sockets_[index].port;
  sockets_[first].state = Socket::State::connected;
  return first;
}

int Sockets::take_error(std::uint32_t socket) { return std::exchange(sockets_[socket].error, 0); }

// ---- data -----------------------------------------------------------------------------------------------------------

std::size_t Sockets::room(std::uint32_t index) const {
  const std::uint32_t peer = sockets_[index].peer;
  return peer == kNone || sockets_[peer].is_outside
             ? kSocketRoom
             : kSocketRoom - std::min(kSocketRoom, sockets_[peer].received.size());
}

int Sockets::read(std::uint32_t index, std::size_t most, std::string& bytes) {
  Socket& socket = sockets_[index];
  bytes = socket.received.substr(0, most);
  if (!bytes.empty()) {
    const bool had_no_room = socket.received.size() > kWritableBelow;
    socket.received.erase(0, bytes.size());
    if (had_no_room && socket.peer != kNone && socket.received.size() <= kWritableBelow) report(socket.peer);
    return static_cast<int>(bytes.size());
  }
  // Where the end had come before, TCP tells no error.
  const bool has_ended = socket.received_end && socket.family == SocketFamily::tcp;
  if (socket.error != 0 && !has_ended) return std::exchange(socket.error, 0);
  if (socket.received_end || socket.is_reset) return 0;
  if (socket.peer != kNone || socket.was_connected) return kUvEagain;
  return socket.family == SocketFamily::tcp ? kUvEnotconn : kUvEinval;  // unix_stream_read_generic()
}

// A TCP socket whose other side is closed answers with a reset; a Unix socket knows at once.
int Sockets::send(std::uint32_t index, std::string_view bytes) {
  Socket& socket = sockets_[index];
  const bool is_tcp = socket.family == SocketFamily::tcp;
  if (!socket.was_connected) return is_tcp ? kUvEpipe : kUvEnotconn;
  if (is_tcp && socket.error != 0) return std::exchange(socket.error, 0);
  if (socket.sent_end || socket.is_reset || (!is_tcp && socket.peer == kNone)) return kUvEpipe;
  const std::size_t count = std::min(bytes.size(), room(index));
  if (count == 0) return kUvEagain;
  if (socket.peer == kNone) {
    deliver_reset(index);
  } else if (Socket& peer = sockets_[socket.peer]; !peer.is_outside) {
    if (peer.received.empty()) peer.received_at = loop_.moment();
    peer.received += bytes.substr(0, count);
    report(socket.peer);
  }
  return static_cast<int>(count);
}

// net/ipv4/af_inet.c, inet_shutdown: whatever it does, it wakes those who poll the socket. One that is not connected yet is shut
// down all the same, and stays so when it connects.
int Sockets::shut_down(std::uint32_t index) {
  Socket& socket = sockets_[index];
  const bool is_tcp = socket.family == SocketFamily::tcp;
  const bool is_gone = is_tcp && (socket.is_reset || !socket.was_connected);
  if (socket.state == Socket::State::connecting)
    socket.state = is_gone ? Socket::State::disconnecting : Socket::State::connected;
  if (is_tcp || !is_gone) socket.sent_end = true;
  if (!is_gone) {
    socket.told_end = true;
    if (socket.peer != kNone) deliver_end(socket.peer);
  }
  if (is_tcp && socket.watcher != kNone) loop_.list(socket.watcher);
  if (!is_tcp && socket.received_end) report(index);
  return is_gone ? kUvEnotconn : 0;
}

void Sockets::deliver_end(std::uint32_t index) {
  Socket& socket = sockets_[index];
  if (!socket.received_end) socket.ended_at = loop_.moment();
  socket.received_end = true;
  report(index);
}

void Sockets::deliver_reset(std::uint32_t index) {
  Socket& socket = sockets_[index];
  socket.error = socket.received_end ? kUvEpipe : kUvEconnreset;
  socket.is_reset = true;
  socket.ended_at = loop_.moment();
  report(index);
}

// Unread data resets a connection.
void Sockets::close(std::uint32_t index, bool resets) {
  Socket& socket = sockets_[index];
  socket.watcher = kNone;
  socket.port = 0;
  if (std::exchange(socket.is_listening, false)) {
    std::erase(listeners_, index);
    for (const std::uint32_t waiting : std::exchange(socket.backlog, {})) close(waiting, true);
    return;
  }
  const std::uint32_t peer = std::exchange(socket.peer, kNone);
  const bool had_unread = !std::exchange(socket.received, {}).empty();
  if (peer == kNone) return;
  sockets_[peer].peer = kNone;
  if (socket.family == SocketFamily::tcp) {
    if (had_unread || resets) return deliver_reset(peer);
    if (!socket.told_end) deliver_end(peer);
    return;
  }
  if (had_unread || resets) sockets_[peer].error = kUvEconnreset;
  sockets_[peer].sent_end = true;  // nobody reads
  deliver_end(peer);
}

std::uint8_t Sockets::state(std::uint32_t index) const {
  using uv::IoEvents;
  const Socket& socket = sockets_[index];
  if (socket.is_listening) return socket.backlog.empty() ? 0 : IoEvents::in;
  if (!socket.was_connected) return IoEvents::out | IoEvents::hup;
  std::uint8_t events = 0;
  const bool has_ended = socket.received_end || socket.is_reset;
  if (!socket.received.empty() || has_ended) events |= IoEvents::in;
  if (has_ended) events |= IoEvents::rdhup;
  if (socket.is_reset || (socket.received_end && socket.sent_end)) events |= IoEvents::hup;
  if (socket.sent_end || socket.is_reset || room(index) >= kSocketRoom - kWritableBelow) events |= IoEvents::out;
  if (socket.error != 0) events |= IoEvents::err;
  return events;
}

}  // namespace loopsim::libuv
