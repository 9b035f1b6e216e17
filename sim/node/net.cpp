// Servers and sockets on the loopback (lib/net.js, src/connection_wrap.cc; libuv src/unix/tcp.c and stream.c).
//
// A connection takes no time and carries no data yet: it is made, accepted and ended. Both of its ends are NetObjects that know
// each other while both are open. Whatever can still happen to a server or socket holds a reference to its emitter.
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
std::uint32_t Environment::listen(std::uint32_t port, std::uint32_t label) {
  const std::uint32_t emitter = new_net(true, port, label);
  const std::uint32_t server = heap_.emitters[emitter].net;
  NetObject& net = heap_.nets[server];
  const bool in_use =
      std::ranges::any_of(listening_, [&](std::uint32_t other) { return heap_.nets[other].port == port; });
  retain_net(server);  // the handle's
  if (in_use) {
    net.failure = NetObject::Failure::in_use;
    loop_.close_with_callback(server);
    queue_net_tick(Tick::Native::net_error, server);
    return emitter;
  }
  net.has_handle = true;
  net.is_active = true;
  loop_.add_active_handle();
  loop_.watch(server);
  listening_.push_back(server);
  queue_net_tick(Tick::Native::listening, server);
  return emitter;
}

// net.connect(port, '127.0.0.1'). It has its handle at once, and asks the kernel for the connection in a tick.
std::uint32_t Environment::connect(std::uint32_t port, std::uint32_t label) {
  const std::uint32_t emitter = new_net(false, port, label);
  const std::uint32_t socket = heap_.emitters[emitter].net;
  heap_.nets[socket].has_handle = true;
  heap_.nets[socket].is_connecting = true;
  retain_net(socket);  // the handle's
  queue_net_tick(Tick::Native::connect, socket);
  return emitter;
}

// net.connect(path), which asks the kernel at once. No server listens at a path yet. What the kernel says during the call waits
// in the pending queue (uv_pipe_connect, uv__io_feed).
std::uint32_t Environment::connect_to_path(std::string path, std::uint32_t label) {
  const std::uint32_t emitter = new_net(false, 0, label);
  const std::uint32_t socket = heap_.emitters[emitter].net;
  NetObject& net = heap_.nets[socket];
  net.path = std::move(path);
  net.has_handle = true;
  net.is_connecting = true;
  net.is_active = true;
  retain_net(socket);  // the handle's
  loop_.add_active_handle();
  loop_.feed_pending(socket);
  return emitter;
}

// uv_tcp_connect. The loopback answers before the call returns, but Linux reports the answer, a refusal too, as an event of the
// socket: it is ready when it is first polled. The server's descriptor is ready at once.
void Environment::start_connecting(std::uint32_t socket) {
  if (!heap_.nets[socket].is_connecting) return;  // destroyed meanwhile
  heap_.nets[socket].is_active = true;
  loop_.add_active_handle();
  const std::uint16_t port = heap_.nets[socket].port;
  const auto server =
      std::ranges::find_if(listening_, [&](std::uint32_t other) { return heap_.nets[other].port == port; });
  if (server == listening_.end()) {
    heap_.nets[socket].is_refused = true;
    loop_.watch(socket);
    return;
  }
  const std::uint32_t other_side = heap_.nets.make();
  heap_.nets[other_side].peer = socket;
  heap_.nets[other_side].port = port;
  heap_.nets[socket].peer = other_side;
  heap_.nets[*server].backlog.push_back(other_side);
  if (heap_.nets.live() > program_.limits.queue)
    halt(LimitKind::queue, static_cast<std::int64_t>(program_.limits.queue));
  loop_.watch(socket);
  loop_.tell_ready(*server);
}

// ---- what the loop tells them -----------------------------------------------------------------------------------------------

bool Environment::is_ready(void* self, std::uint32_t index) {
  const NetObject& net = static_cast<Environment*>(self)->heap_.nets[index];
  if (net.is_server) return !net.backlog.empty();
  if (net.is_connecting || net.finishing) return true;
  return net.is_reading && !net.read_end && (net.peer_gone || net.was_reset);
}

void Environment::on_io(void* self, std::uint32_t index) {
  Environment& environment = *static_cast<Environment*>(self);
  NetObject& net = environment.heap_.nets[index];
  if (net.is_server) return environment.accept(index);
  if (net.is_connecting && net.is_refused) {
    environment.fail_socket(index, NetObject::Failure::refused);
    environment.close_scope();
  } else if (net.was_reset) {
    environment.fail_socket(index,
                            net.is_connecting ? NetObject::Failure::reset_connecting : NetObject::Failure::reset);
    environment.close_scope();
  } else if (net.is_connecting) {
    net.is_connecting = false;
    environment.tell_connected(index);
  } else if (net.finishing) {
    environment.destroy_socket(index);
    environment.close_scope();
  } else if (net.peer_gone && !net.read_end) {
    environment.read_end(index);
  }
}

void Environment::on_pending(void* self, std::uint32_t index) {
  Environment& environment = *static_cast<Environment*>(self);
  if (environment.heap_.nets[index].is_connecting) {
    environment.fail_socket(index, NetObject::Failure::no_entry);
  } else {
    environment.destroy_socket(index);  // its own side is shut down now
  }
  environment.close_scope();
}

void Environment::on_close(void* self, std::uint32_t index) {
  Environment& environment = *static_cast<Environment*>(self);
  const NetObject& net = environment.heap_.nets[index];
  if (!net.is_server) {
    const Value arguments[] = {Value::of_boolean(net.failure != NetObject::Failure::none)};
    environment.emit_net_from_loop(index, "close", arguments);
  }
  environment.release_net(index);
}

// afterConnect. It begins to read when its listeners have returned; when one of them throws, it never does.
void Environment::tell_connected(std::uint32_t socket) {
  const Flow flow = emit_net(socket, "connect", {});
  if (flow == Flow::threw) handle_uncaught(false);
  if (flow != Flow::normal) return;
  if (heap_.nets[socket].has_handle) {
    heap_.nets[socket].is_reading = true;
    loop_.tell_ready(socket);
  }
  close_scope();
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
    net.has_handle = true;
    net.is_active = true;
    net.server = server;
    net.is_reading = true;
    retain_net(server);  // by the accepted socket
    ++heap_.nets[server].connections;
    loop_.add_active_handle();
    loop_.watch(socket);
    const Value arguments[] = {Value::object(Tag::emitter, emitter)};
    emit_net_from_loop(server, "connection", arguments);
    heap_.release(arguments[0]);
  } while (!profile_.accepts_one_per_turn && heap_.nets[server].has_handle && !heap_.nets[server].backlog.empty() &&
           !stopping());
  release_net(server);
}

void Environment::read_end(std::uint32_t socket) {
  heap_.nets[socket].read_end = true;
  queue_net_tick(Tick::Native::socket_end, socket);
  close_scope();
}

// After 'end' a socket ends its own side, too (allowHalfOpen is false), and then it is closed.
void Environment::finish_after_end(std::uint32_t socket) {
  if (!heap_.nets[socket].has_handle) return;
  switch (profile_.finish_after_end) {
    case FinishAfterEnd::before_listeners:
    case FinishAfterEnd::after_listeners: destroy_socket(socket); return;
    case FinishAfterEnd::next_poll:
      heap_.nets[socket].finishing = true;
      loop_.tell_ready(socket);
      return;
    case FinishAfterEnd::pending_queue: loop_.feed_pending(socket); return;
  }
}

// ---- ending them ------------------------------------------------------------------------------------------------------------

// uv_close: nothing more is heard of it but its callback, in the closing phase.
void Environment::close_handle(std::uint32_t index) {
  NetObject& net = heap_.nets[index];
  net.has_handle = false;
  if (net.is_active) loop_.remove_active_handle();
  net.is_active = false;
  loop_.unwatch(index);
  loop_.close_with_callback(index);
}

Flow Environment::close_step(const Value& value) {
  const std::uint32_t net = value.tag == Tag::emitter ? heap_.emitters[value.index].net : kNone;
  if (net == kNone || !heap_.nets[net].is_server) return method_error(value, "close");
  close_server(net);
  return Flow::normal;
}

Flow Environment::destroy_step(const Value& value) {
  const std::uint32_t net = value.tag == Tag::emitter ? heap_.emitters[value.index].net : kNone;
  if (net == kNone || heap_.nets[net].is_server) return method_error(value, "destroy");
  destroy_socket(net);
  return Flow::normal;
}

// Server.prototype.close. The connections that wait are reset by the kernel.
void Environment::close_server(std::uint32_t server) {
  if (heap_.nets[server].has_handle) {
    std::erase(listening_, server);
    std::vector<std::uint32_t> backlog;
    backlog.swap(heap_.nets[server].backlog);
    close_handle(server);
    for (const std::uint32_t waiting : backlog) {
      const std::uint32_t client = heap_.nets[waiting].peer;
      heap_.nets.free(waiting);
      if (client == kNone) continue;
      heap_.nets[client].peer = kNone;
      heap_.nets[client].was_reset = true;
      loop_.tell_ready(client);
    }
  }
  emit_close_if_drained(server);
}

void Environment::emit_close_if_drained(std::uint32_t server) {
  if (heap_.nets[server].has_handle || heap_.nets[server].connections != 0) return;
  queue_net_tick(Tick::Native::server_closed, server);
}

// Socket.prototype.destroy.
void Environment::destroy_socket(std::uint32_t socket) {
  if (!heap_.nets[socket].has_handle) return;
  loop_.unfeed_pending(socket);
  heap_.nets[socket].is_connecting = false;
  close_handle(socket);
  const std::uint32_t peer = std::exchange(heap_.nets[socket].peer, kNone);
  if (peer != kNone) {
    heap_.nets[peer].peer = kNone;
    heap_.nets[peer].peer_gone = true;
    loop_.tell_ready(peer);
  }
  if (heap_.nets[socket].failure != NetObject::Failure::none) queue_net_tick(Tick::Native::net_error, socket);
  const std::uint32_t server = std::exchange(heap_.nets[socket].server, kNone);
  if (server == kNone) return;
  --heap_.nets[server].connections;
  emit_close_if_drained(server);
  release_net(server);
}

void Environment::fail_socket(std::uint32_t socket, NetObject::Failure failure) {
  heap_.nets[socket].failure = failure;
  destroy_socket(socket);
}

Value Environment::net_error(const NetObject& net) {
  std::string_view call = "connect";
  std::string_view code = "ECONNRESET";
  std::string place = " 127.0.0.1:" + std::to_string(net.port);
  switch (net.failure) {
    case NetObject::Failure::in_use:
      call = "listen";
      code = "EADDRINUSE";
      place = (profile_.listen_error_explains ? ": address already in use :::" : " :::") + std::to_string(net.port);
      break;
    case NetObject::Failure::refused: code = "ECONNREFUSED"; break;
    case NetObject::Failure::no_entry:
      code = "ENOENT";
      place = " " + net.path;
      break;
    case NetObject::Failure::reset:
      call = "read";
      place.clear();
      break;
    default: break;
  }
  return heap_.make_error("Error", std::string(call) + " " + std::string(code) + place, code);
}

// ---- their events -----------------------------------------------------------------------------------------------------------

void Environment::queue_net_tick(Tick::Native native, std::uint32_t net) {
  retain_net(net);
  queue_native_tick(native, net);
}

Flow Environment::run_net_tick(const Tick& tick) {
  const std::uint32_t index = tick.index;
  Flow flow = Flow::normal;
  switch (tick.native) {
    case Tick::Native::listening:
      if (heap_.nets[index].has_handle) flow = emit_net(index, "listening", {});
      break;
    case Tick::Native::server_closed: flow = emit_net(index, "close", {}); break;
    case Tick::Native::connect: start_connecting(index); break;
    case Tick::Native::socket_end:
      if (profile_.finish_after_end == FinishAfterEnd::before_listeners) finish_after_end(index);
      flow = emit_net(index, "end", {});
      if (flow == Flow::normal) finish_after_end(index);
      break;
    case Tick::Native::net_error: {
      const Value error = net_error(heap_.nets[index]);
      flow = emit_net(index, "error", std::span(&error, 1));
      heap_.release(error);
      break;
    }
    default: break;
  }
  release_net(index);
  return stopping() ? Flow::stop : flow;
}

// Calls the listeners, one after another. An error that nobody listens to is thrown.
Flow Environment::emit_net(std::uint32_t net, std::string_view event, std::span<const Value> arguments) {
  bool had_listeners = false;
  const Flow flow = emit_native(heap_.nets[net].emitter, event, arguments, had_listeners);
  if (!had_listeners && event == "error") return throw_value(heap_.copy(arguments.front()));
  return flow;
}

void Environment::emit_net_from_loop(std::uint32_t net, std::string_view event, std::span<const Value> arguments) {
  const Flow flow = emit_net(net, event, arguments);
  if (flow == Flow::threw) {
    handle_uncaught(false);
  } else if (flow == Flow::normal) {
    close_scope();
  }
}

}  // namespace loopsim::node
