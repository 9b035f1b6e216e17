#include "sim/node/net/servers.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

// net.createServer().listen(port). A port in use fails at once, and a tick reports it.
std::uint32_t Servers::listen(std::uint32_t port, std::uint32_t label, bool allow_half_open) {
  const std::uint32_t emitter = env_.sockets.make(true, port, label);
  const std::uint32_t server = heap_.emitters[emitter].net;
  NetObject& net = heap_.nets[server];
  net.allow_half_open = allow_half_open;
  const bool in_use =
      std::ranges::any_of(listening_, [&](std::uint32_t other) { return heap_.nets[other].port == port; });
  env_.net_handles.retain(server);  // the handle's
  if (in_use) {
    loop_.close_with_callback(server);
    const Value error = env_.sockets.system_error(
        "listen", "EADDRINUSE",
        (profile_.listen_error_explains ? ": address already in use :::" : " :::") + std::to_string(net.port));
    env_.net_events.queue_tick(Tick::Native::net_error, server, {}, error);
    heap_.release(error);
    return emitter;
  }
  net.has_handle = true;
  net.is_started = true;
  env_.net_handles.count(server);
  loop_.watch(server);
  listening_.push_back(server);
  env_.net_events.queue_tick(Tick::Native::listening, server);
  return emitter;
}

// The kernel makes the connection; the server accepts it later.
bool Servers::meet(std::uint32_t socket) {
  const std::uint16_t port = heap_.nets[socket].port;
  const std::string_view path = heap_.nets[socket].path;
  const auto server = std::ranges::find_if(listening_, [&](std::uint32_t other) {
    return heap_.nets[other].port == port && heap_.nets[other].path == path;
  });
  if (server == listening_.end()) return false;
  const std::uint32_t other_side = heap_.nets.make();
  heap_.nets[other_side].peer = socket;
  heap_.nets[other_side].port = port;
  heap_.nets[other_side].local_port = port;
  heap_.nets[other_side].remote_port = heap_.nets[socket].local_port;
  heap_.nets[other_side].since = loop_.moment();
  heap_.nets[socket].peer = other_side;
  heap_.nets[*server].backlog.push_back(other_side);
  if (heap_.nets.live() > limits_.queue) env_.ending.halt_for_queue();
  loop_.report_ready(*server);
  return true;
}

// uv__server_io: one connection, or all that wait.
void Servers::accept(std::uint32_t server) {
  env_.net_handles.retain(server);
  do {
    std::vector<std::uint32_t>& backlog = heap_.nets[server].backlog;
    const std::uint32_t socket = backlog.front();
    backlog.erase(backlog.begin());

    const std::uint32_t emitter = heap_.emitters.make();
    if (heap_.nets[server].is_raw) {
      heap_.emitters[emitter].refs = 1;
      heap_.emitters[emitter].net = socket;
      NetObject& net = heap_.nets[socket];
      net.emitter = emitter;
      net.is_raw = net.has_handle = true;
      const TimeNs since = std::exchange(net.since, -1);
      env_.raw_handles.accepted(server, socket, since);
      continue;
    }
    heap_.emitters[emitter].refs = 2;  // the handle's and ours
    heap_.emitters[emitter].net = socket;
    NetObject& net = heap_.nets[socket];
    net.emitter = emitter;
    net.allow_half_open = heap_.nets[server].allow_half_open;
    net.has_handle = true;
    net.readable = true;
    net.server = server;
    env_.net_handles.retain(server);  // by the accepted socket
    ++heap_.nets[server].connections;
    env_.sockets.begin(socket);
    env_.readables.look_into(socket);  // begins to read
    const Value arguments[] = {Value::object(Tag::emitter, emitter)};
    env_.net_events.end_callback(env_.net_events.emit(server, NetEvent::connection, arguments, net.since));
    heap_.nets[socket].since = -1;
    heap_.release(arguments[0]);
  } while (!profile_.libuv.accepts_one_per_turn && heap_.nets[server].has_handle &&
           !heap_.nets[server].backlog.empty() && !stopping());
  env_.net_handles.release(server);
}

bool Servers::is_taken(std::uint16_t port, std::string_view path) const {
  return std::ranges::any_of(listening_, [&](std::uint32_t other) {
    return heap_.nets[other].port == port && heap_.nets[other].path == path;
  });
}

void Servers::begin(std::uint32_t server) {
  loop_.watch(server);
  listening_.push_back(server);
}

// Server.prototype.close.
void Servers::close(std::uint32_t server, const Callback& callback) {
  const bool runs = heap_.nets[server].has_handle;
  if (callback.place != kNone)
    env_.net_events.listen_natively(server, NetEvent::close, runs ? NativeListener::none : NativeListener::not_running,
                                    true, callback);
  if (runs) end(server);
  emit_close_if_drained(server);
}

// The kernel resets the waiting connections.
void Servers::end(std::uint32_t server) {
  std::erase(listening_, server);
  std::vector<std::uint32_t> backlog;
  backlog.swap(heap_.nets[server].backlog);
  env_.net_handles.close(server);
  for (const std::uint32_t waiting : backlog) {
    const std::uint32_t client = heap_.nets[waiting].peer;
    heap_.nets.free(waiting);
    if (client == kNone) continue;
    heap_.nets[client].peer = kNone;
    env_.connections.deliver_reset(client);
  }
}

void Servers::connection_gone(std::uint32_t server) {
  --heap_.nets[server].connections;
  emit_close_if_drained(server);
  env_.net_handles.release(server);
}

void Servers::emit_close_if_drained(std::uint32_t server) {
  if (heap_.nets[server].has_handle || heap_.nets[server].connections != 0) return;
  env_.net_events.queue_tick(Tick::Native::server_closed, server);
}

}  // namespace loopsim::node
