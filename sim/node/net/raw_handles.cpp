#include "sim/node/net/raw_handles.hpp"

#include <algorithm>
#include <utility>

#include "sim/machine/socket_buffer.hpp"
#include "sim/node/engine.hpp"
#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
// Linux gives a socket without a port of its own one of these.
constexpr std::uint16_t kFirstFreePort = 32'768, kFreePorts = 28'232;
}  // namespace

std::uint32_t RawHandles::make(bool is_server, std::uint32_t label) {
  const std::uint32_t emitter = env_.sockets.make(is_server, 0, label);
  const std::uint32_t handle = heap_.emitters[emitter].net;
  heap_.nets[handle].is_raw = true;
  heap_.nets[handle].has_handle = true;
  return handle;
}

std::uint32_t RawHandles::make_pipe(std::uint32_t label) {
  const std::uint32_t handle = make(false, label);
  const std::uint32_t end = heap_.nets.make();
  heap_.nets[end].is_sink = true;
  heap_.nets[end].peer = handle;
  heap_.nets[handle].peer = end;
  return handle;
}

std::uint16_t RawHandles::free_port() {
  do {
    last_port_ = static_cast<std::uint16_t>((last_port_ + 1) % kFreePorts);
  } while (env_.servers.is_taken(static_cast<std::uint16_t>(kFirstFreePort + last_port_), {}));
  return static_cast<std::uint16_t>(kFirstFreePort + last_port_);
}

// ---- servers ----------------------------------------------------------------------------------------------------------------------

std::string_view RawHandles::listen(std::uint32_t server, std::uint16_t port, std::string path) {
  if (port == 0 && path.empty()) port = free_port();
  if (env_.servers.is_taken(port, path)) return "EADDRINUSE";
  NetObject& net = heap_.nets[server];
  net.port = net.local_port = port;
  net.path = std::move(path);
  net.is_started = true;
  env_.net_handles.count(server);
  env_.servers.begin(server);
  return {};
}

void RawHandles::accepted(std::uint32_t server, std::uint32_t socket, TimeNs since) {
  env_.net_events.end_callback(engine_.handle_report(server, {HandleReport::Kind::connection, {}, socket, since}));
}

std::uint16_t RawHandles::remote_port(std::uint32_t socket) const {
  const NetObject& net = heap_.nets[socket];
  return net.remote_port;
}

// ---- connections ------------------------------------------------------------------------------------------------------------------

std::string_view RawHandles::connect(std::uint32_t socket, std::uint16_t port, std::uint16_t local_port) {
  if (local_port != 0 && env_.servers.is_taken(local_port, {})) return "EADDRINUSE";
  NetObject& net = heap_.nets[socket];
  net.port = net.remote_port = port;
  net.local_port = local_port != 0 ? local_port : free_port();
  net.is_connecting = true;
  env_.sockets.start_connecting(socket);
  return {};
}

// The kernel's answer during the call waits in the pending queue.
void RawHandles::connect(std::uint32_t socket, const std::string& path) {
  NetObject& net = heap_.nets[socket];
  net.path = path;
  net.has_request = true;
  loop_.add_active_handle();
  if (!env_.servers.meet(socket)) heap_.nets[socket].is_refused = true;
  env_.net_handles.feed(socket);
}

void RawHandles::connected(std::uint32_t socket, std::string_view error) {
  heap_.nets[socket].is_connecting = false;
  env_.net_events.end_callback(engine_.handle_report(socket, {HandleReport::Kind::connected, error}));
}

// ---- data -------------------------------------------------------------------------------------------------------------------------

void RawHandles::start_reading(std::uint32_t socket) { env_.net_handles.start_reading(socket); }
void RawHandles::stop_reading(std::uint32_t socket) { env_.net_handles.stop_reading(socket); }

void RawHandles::read(std::uint32_t socket, std::string_view bytes) {
  env_.net_events.end_callback(
      engine_.handle_report(socket, {HandleReport::Kind::data, bytes, kNone, heap_.nets[socket].since}));
}

void RawHandles::read_end(std::uint32_t socket, std::string_view error) {
  env_.net_events.end_callback(
      engine_.handle_report(socket, {HandleReport::Kind::end, error, kNone, heap_.nets[socket].since}));
}

// A write that fails at once is tried a second time where uv_write does it, and its error waits in the pending queue.
RawHandles::Written RawHandles::write(std::uint32_t socket, std::string_view bytes, bool is_several) {
  const auto code_of = [](Connection::Error error) -> std::string_view {
    return error == Connection::Error::none ? "" : error == Connection::Error::pipe ? "EPIPE" : "ECONNRESET";
  };
  const std::uint32_t peer = heap_.nets[socket].peer;
  const std::size_t unread = peer == kNone ? 0 : heap_.nets[peer].connection.received.size();
  if (unread + bytes.size() > kSocketRoom && !heap_.nets[socket].connection.is_reset) {
    const std::size_t room = kSocketRoom - std::min(kSocketRoom, unread);
    env_.connections.send(socket, bytes.substr(0, room));
    heap_.nets[socket].unsent = bytes.substr(room);
    loop_.add_active_handle();
    loop_.rewatch(socket);
    return {{}, true};
  }
  const bool is_late = profile_.writev_is_late && is_several;
  Connection::Error failed = env_.connections.send(socket, bytes);
  if (profile_.libuv.writes_are_queued) env_.net_handles.feed(socket);
  if (!profile_.libuv.failed_write_is_late && !is_late) return {code_of(failed), false};
  if (failed != Connection::Error::none && !is_late) failed = env_.connections.send(socket, bytes);
  if (failed == Connection::Error::none && !is_late) return {};
  NetObject& net = heap_.nets[socket];
  net.late_write = failed != Connection::Error::none ? NetObject::LateWrite::failed : NetObject::LateWrite::done;
  loop_.add_active_handle();
  return {{}, failed != Connection::Error::none};
}

bool RawHandles::is_writable(std::uint32_t socket) const {
  const std::uint32_t peer = heap_.nets[socket].peer;
  return peer == kNone || heap_.nets[peer].connection.received.size() <= kWritableBelow;
}

void RawHandles::go_on(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  const std::uint32_t peer = net.peer;
  const std::size_t room =
      peer == kNone ? net.unsent.size() : kSocketRoom - heap_.nets[peer].connection.received.size();
  const std::string part = net.unsent.substr(0, room);
  const Connection::Error failed = env_.connections.send(socket, part);
  if (failed == Connection::Error::none && part.size() < net.unsent.size()) {
    net.unsent.erase(0, part.size());
    return;
  }
  net.unsent.clear();
  loop_.remove_active_handle();
  loop_.rewatch(socket);
  written(socket, failed == Connection::Error::none ? "" : failed == Connection::Error::pipe ? "EPIPE" : "ECONNRESET");
}

void RawHandles::peer_has_read(std::uint32_t socket) {
  const std::uint32_t peer = heap_.nets[socket].peer;
  if (peer != kNone && !heap_.nets[peer].unsent.empty() && is_writable(peer)) loop_.report_ready(peer);
}

void RawHandles::written(std::uint32_t socket, std::string_view error) {
  env_.net_events.end_callback(engine_.handle_report(socket, {HandleReport::Kind::written, error}));
}

void RawHandles::shut_down(std::uint32_t socket) {
  heap_.nets[socket].is_shutting = true;
  loop_.add_active_handle();
  if (profile_.libuv.shutdown_in_poll) {
    loop_.rewatch(socket);
  } else {
    env_.net_handles.feed(socket);
  }
}

void RawHandles::shut(std::uint32_t socket, std::string_view error) {
  env_.net_events.end_callback(engine_.handle_report(socket, {HandleReport::Kind::shut_down, error}));
}

// ---- the end ----------------------------------------------------------------------------------------------------------------------

void RawHandles::close(std::uint32_t handle, bool resets, bool tells) {
  heap_.nets[handle].tells_close = tells;
  if (heap_.nets[handle].is_server && heap_.nets[handle].is_started) return env_.servers.end(handle);
  if (resets && heap_.nets[handle].peer != kNone) env_.connections.reset(handle);
  env_.net_handles.close(handle);
}

void RawHandles::closed(std::uint32_t handle) {
  if (!heap_.nets[handle].tells_close) return;
  env_.net_events.end_callback(engine_.handle_report(handle, {HandleReport::Kind::closed, {}}));
}

}  // namespace loopsim::node
