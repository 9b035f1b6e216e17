// Servers, and connections on the loopback in the kernel (lib/net.js, src/connection_wrap.cc; libuv src/unix/tcp.c, stream.c).
//
// A connection takes no time. Both of its ends are NetObjects that know each other while both are open; what arrives at one is
// put there by deliver_bytes(), deliver_end() and deliver_reset(), whoever sent it. Whatever can still happen to a server or
// socket holds a reference to its emitter.
#include <algorithm>
#include <string>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

// ---- making them ------------------------------------------------------------------------------------------------------------

std::uint32_t Environment::new_net(bool is_server, std::uint32_t port, std::uint32_t label) {
  const std::uint32_t emitter = heap_.emitters.make();
  const std::uint32_t index = heap_.nets.make();
  heap_.emitters[emitter].refs = 1;
  heap_.emitters[emitter].label = label;
  heap_.emitters[emitter].net = index;
  NetObject& net = heap_.nets[index];
  net.is_server = is_server;
  net.port = static_cast<std::uint16_t>(port);
  net.emitter = emitter;
  return emitter;
}

// net.createServer().listen(port). A port in use is found at once and told by a tick.
std::uint32_t Environment::listen(std::uint32_t port, std::uint32_t label, bool allow_half_open) {
  const std::uint32_t emitter = new_net(true, port, label);
  const std::uint32_t server = heap_.emitters[emitter].net;
  NetObject& net = heap_.nets[server];
  net.allow_half_open = allow_half_open;
  const bool in_use =
      std::ranges::any_of(listening_, [&](std::uint32_t other) { return heap_.nets[other].port == port; });
  retain_net(server);  // the handle's
  if (in_use) {
    loop_.close_with_callback(server);
    const Value error = system_error(
        "listen", "EADDRINUSE",
        (profile_.listen_error_explains ? ": address already in use :::" : " :::") + std::to_string(net.port));
    queue_net_tick(Tick::Native::net_error, server, {}, error);
    heap_.release(error);
    return emitter;
  }
  net.has_handle = true;
  net.is_started = true;
  count_handle(server);
  loop_.watch(server);
  listening_.push_back(server);
  queue_net_tick(Tick::Native::listening, server);
  return emitter;
}

// net.connect(port, '127.0.0.1'). It has its handle at once, and asks the kernel for the connection in a tick.
std::uint32_t Environment::connect(std::uint32_t port, std::uint32_t label, bool allow_half_open) {
  const std::uint32_t emitter = new_net(false, port, label);
  const std::uint32_t socket = heap_.emitters[emitter].net;
  NetObject& net = heap_.nets[socket];
  net.allow_half_open = allow_half_open;
  net.has_handle = true;
  net.is_connecting = true;
  begin_socket(socket);
  retain_net(socket);  // the handle's
  queue_net_tick(Tick::Native::connect, socket);
  return emitter;
}

// net.connect(path), which asks the kernel at once. No server listens at a path. What the kernel says during the call waits
// in the pending queue (uv_pipe_connect, uv__io_feed).
std::uint32_t Environment::connect_to_path(std::string path, std::uint32_t label, bool allow_half_open) {
  const std::uint32_t emitter = new_net(false, 0, label);
  const std::uint32_t socket = heap_.emitters[emitter].net;
  NetObject& net = heap_.nets[socket];
  net.path = std::move(path);
  net.allow_half_open = allow_half_open;
  net.has_handle = true;
  net.is_connecting = true;
  net.has_request = true;
  begin_socket(socket);
  retain_net(socket);  // the handle's
  loop_.add_active_handle();
  feed(socket);
  return emitter;
}

// uv_tcp_connect. The loopback answers before the call returns, but Linux reports the answer, a refusal too, as an event of the
// socket: it is ready when it is first polled. The server's descriptor is ready at once.
void Environment::start_connecting(std::uint32_t socket) {
  if (!heap_.nets[socket].is_connecting) return;  // destroyed meanwhile
  heap_.nets[socket].has_request = true;
  loop_.add_active_handle();
  if (!meet_server(socket)) heap_.nets[socket].is_refused = true;
  loop_.watch(socket);
}

// The kernel makes the connection; the server is to accept it.
bool Environment::meet_server(std::uint32_t socket) {
  const std::uint16_t port = heap_.nets[socket].port;
  const auto server =
      std::ranges::find_if(listening_, [&](std::uint32_t other) { return heap_.nets[other].port == port; });
  if (server == listening_.end()) return false;
  const std::uint32_t other_side = heap_.nets.make();
  heap_.nets[other_side].peer = socket;
  heap_.nets[other_side].port = port;
  heap_.nets[other_side].since = loop_.moment();
  heap_.nets[socket].peer = other_side;
  heap_.nets[*server].backlog.push_back(other_side);
  if (heap_.nets.live() > limits_.queue) halt(LimitKind::queue, static_cast<std::int64_t>(limits_.queue));
  loop_.report_ready(*server);
  return true;
}

// ---- what the loop tells them -----------------------------------------------------------------------------------------------

std::uint8_t Environment::watched_for(void* self, std::uint32_t index) {
  const Environment& environment = *static_cast<Environment*>(self);
  const NetObject& net = environment.heap_.nets[index];
  if (net.is_server) return uv::IoEvents::in;
  if (net.has_request) return uv::IoEvents::out;
  std::uint8_t events = net.is_reading ? uv::IoEvents::in : 0;
  if (net.is_shutting && environment.profile_.libuv.shutdown_in_poll) events |= uv::IoEvents::out;
  return events;
}

std::uint8_t Environment::descriptor_state(void* self, std::uint32_t index) {
  const NetObject& net = static_cast<Environment*>(self)->heap_.nets[index];
  if (net.is_server) return net.backlog.empty() ? 0 : uv::IoEvents::in;
  const Connection& connection = net.connection;
  std::uint8_t events = uv::IoEvents::out;
  if (!connection.received.empty() || connection.received_end || connection.is_reset) events |= uv::IoEvents::in;
  if (connection.is_reset || (connection.received_end && connection.sent_end)) events |= uv::IoEvents::hup;
  return events;
}

void Environment::on_io(void* self, std::uint32_t index, std::uint8_t events) {
  Environment& environment = *static_cast<Environment*>(self);
  NetObject& net = environment.heap_.nets[index];
  if (net.is_server) return environment.accept(index);
  if (!net.has_request) {
    // What it no longer waits for is not told, but for errors (uv__io_poll).
    const std::uint8_t wanted = watched_for(self, index);
    events &= wanted | uv::IoEvents::hup;
    if (events == 0) return;
    if (events == uv::IoEvents::hup) events |= wanted;
    return environment.socket_events(index, events);
  }
  net.has_request = false;
  environment.loop_.remove_active_handle();
  if (net.is_refused || net.connection.is_reset) {
    environment.destroy_and_release(index,
                                    environment.connect_error(index, net.is_refused ? "ECONNREFUSED" : "ECONNRESET"));
    environment.end_net_callback(Flow::normal);
    return;
  }
  net.is_connecting = false;
  environment.socket_connected(index);
}

void Environment::on_pending(void* self, std::uint32_t index) {
  Environment& environment = *static_cast<Environment*>(self);
  NetObject& net = environment.heap_.nets[index];
  net.is_fed = false;
  environment.retain_net(index);
  if (net.has_request) {
    net.has_request = false;
    environment.loop_.remove_active_handle();
    environment.destroy_and_release(index, environment.connect_error(index, "ENOENT"));
    environment.end_net_callback(Flow::normal);
  } else {
    environment.socket_write_event(index);
  }
  environment.release_net(index);
}

void Environment::on_close(void* self, std::uint32_t index) {
  Environment& environment = *static_cast<Environment*>(self);
  const NetObject& net = environment.heap_.nets[index];
  if (!net.is_server) {
    environment.finish_late_write(index);
    if (!environment.stopping()) environment.finish_shutdown(index, true);
    const Value had_error = Value::of_boolean(net.had_error);
    if (!environment.stopping())
      environment.end_net_callback(environment.emit_net(index, NetEvent::close, std::span(&had_error, 1)));
  }
  environment.release_net(index);
}

// uv__server_io: one connection, or all that wait.
void Environment::accept(std::uint32_t server) {
  retain_net(server);
  do {
    std::vector<std::uint32_t>& backlog = heap_.nets[server].backlog;
    const std::uint32_t socket = backlog.front();
    backlog.erase(backlog.begin());

    const std::uint32_t emitter = heap_.emitters.make();
    heap_.emitters[emitter].refs = 2;  // the handle's and ours
    heap_.emitters[emitter].net = socket;
    NetObject& net = heap_.nets[socket];
    net.emitter = emitter;
    net.allow_half_open = heap_.nets[server].allow_half_open;
    net.has_handle = true;
    net.readable = true;
    net.server = server;
    retain_net(server);  // by the accepted socket
    ++heap_.nets[server].connections;
    begin_socket(socket);
    look_into_stream(socket);  // begins to read
    const Value arguments[] = {Value::object(Tag::emitter, emitter)};
    end_net_callback(emit_net(server, NetEvent::connection, arguments, net.since));
    heap_.nets[socket].since = -1;
    heap_.release(arguments[0]);
  } while (!profile_.libuv.accepts_one_per_turn && heap_.nets[server].has_handle &&
           !heap_.nets[server].backlog.empty() && !stopping());
  release_net(server);
}

// ---- connections in the kernel ------------------------------------------------------------------------------------------------

void Environment::deliver_bytes(std::uint32_t socket, std::string_view bytes) {
  if (heap_.nets[socket].client != kNone) return;  // it reads all that comes
  Connection& connection = heap_.nets[socket].connection;
  if (connection.received.empty()) connection.received_at = loop_.moment();
  connection.received += bytes;
  loop_.report_ready(socket);
}

// FIN: the other side has shut down, or was closed with nothing unread.
void Environment::deliver_end(std::uint32_t socket) {
  heap_.nets[socket].connection.received_end = true;
  heap_.nets[socket].connection.ended_at = loop_.moment();
  if (heap_.nets[socket].client != kNone) return client_hears(socket, AnswerKind::end);
  loop_.report_ready(socket);
}

// RST. A socket whose other side had ended before does not read an error, but its writes fail with EPIPE.
void Environment::deliver_reset(std::uint32_t socket) {
  Connection& connection = heap_.nets[socket].connection;
  if (heap_.nets[socket].client != kNone) client_hears(socket, AnswerKind::reset);
  connection.is_reset = true;
  connection.error = connection.received_end ? Connection::Error::pipe : Connection::Error::reset;
  loop_.report_ready(socket);
}

// send(2). A closed other side answers with RST.
Connection::Error Environment::send_bytes(std::uint32_t socket, std::string_view bytes) {
  NetObject& net = heap_.nets[socket];
  Connection& connection = net.connection;
  if (connection.error != Connection::Error::none) return std::exchange(connection.error, Connection::Error::none);
  if (connection.sent_end || connection.is_reset) return Connection::Error::pipe;
  if (bytes.empty()) return Connection::Error::none;
  if (net.peer == kNone) {
    deliver_reset(socket);
  } else {
    deliver_bytes(net.peer, bytes);
  }
  return Connection::Error::none;
}

// close(2): with bytes that nobody has read it resets the connection.
void Environment::close_connection(std::uint32_t socket) {
  const std::uint32_t peer = std::exchange(heap_.nets[socket].peer, kNone);
  if (peer == kNone) return;
  heap_.nets[peer].peer = kNone;
  if (!heap_.nets[socket].connection.received.empty()) return deliver_reset(peer);
  if (!heap_.nets[socket].connection.sent_end) deliver_end(peer);
}

// ---- ending them ------------------------------------------------------------------------------------------------------------

void Environment::count_handle(std::uint32_t index) {
  NetObject& net = heap_.nets[index];
  const bool counts = net.is_started && net.is_referenced;
  if (counts == net.is_counted) return;
  net.is_counted = counts;
  if (counts) {
    loop_.add_active_handle();
  } else {
    loop_.remove_active_handle();
  }
}

// uv__io_feed.
void Environment::feed(std::uint32_t index) {
  if (std::exchange(heap_.nets[index].is_fed, true)) return;
  loop_.feed_pending(index);
}

// uv_close: nothing more is heard of it but its callback, in the closing phase.
void Environment::close_handle(std::uint32_t index) {
  NetObject& net = heap_.nets[index];
  if (!net.has_handle) return;
  net.has_handle = false;
  net.is_reading = net.is_started = false;
  count_handle(index);
  if (std::exchange(net.has_request, false)) loop_.remove_active_handle();
  if (std::exchange(net.is_fed, false)) loop_.unfeed_pending(index);
  loop_.unwatch(index);
  loop_.close_with_callback(index);
  if (!net.is_server) close_connection(index);
}

// Server.prototype.close. The connections that wait are reset by the kernel.
void Environment::close_server(std::uint32_t server, const Callback& callback) {
  const bool runs = heap_.nets[server].has_handle;
  if (callback.place != kNone)
    listen_natively(server, NetEvent::close, runs ? NativeListener::none : NativeListener::not_running, true, callback);
  if (runs) {
    std::erase(listening_, server);
    std::vector<std::uint32_t> backlog;
    backlog.swap(heap_.nets[server].backlog);
    close_handle(server);
    for (const std::uint32_t waiting : backlog) {
      const std::uint32_t client = heap_.nets[waiting].peer;
      heap_.nets.free(waiting);
      if (client == kNone) continue;
      heap_.nets[client].peer = kNone;
      deliver_reset(client);
    }
  }
  emit_close_if_drained(server);
}

void Environment::emit_close_if_drained(std::uint32_t server) {
  if (heap_.nets[server].has_handle || heap_.nets[server].connections != 0) return;
  queue_net_tick(Tick::Native::server_closed, server);
}

// server.ref(), socket.unref() ...
void Environment::reference_net(std::uint32_t net, bool is_referenced) {
  heap_.nets[net].is_referenced = is_referenced;
  count_handle(net);
}

}  // namespace loopsim::node
