#include "sim/node/net/sockets.hpp"

#include <string>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

// ---- creation -------------------------------------------------------------------------------------------------------

std::uint32_t Sockets::make(bool is_server, std::uint32_t port, std::uint32_t label) {
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

// net.connect(port, '127.0.0.1'). Its handle exists at once; a tick requests the connection from the kernel.
std::uint32_t Sockets::connect(std::uint32_t port, std::uint32_t label, bool allow_half_open) {
  const std::uint32_t emitter = make(false, port, label);
  const std::uint32_t socket = heap_.emitters[emitter].net;
  NetObject& net = heap_.nets[socket];
  net.allow_half_open = allow_half_open;
  net.has_handle = true;
  net.is_connecting = true;
  begin(socket);
  env_.net_handles.retain(socket);  // the handle's
  env_.net_events.queue_tick(Tick::Native::connect, socket);
  return emitter;
}

// net.connect(path), which asks the kernel at once. No server listens at a path. The kernel's answer during the call
// waits in the pending queue (uv_pipe_connect, uv__io_feed).
std::uint32_t Sockets::connect_to_path(std::string path, std::uint32_t label, bool allow_half_open) {
  const std::uint32_t emitter = make(false, 0, label);
  const std::uint32_t socket = heap_.emitters[emitter].net;
  NetObject& net = heap_.nets[socket];
  net.path = std::move(path);
  net.allow_half_open = allow_half_open;
  net.has_handle = true;
  net.is_connecting = true;
  net.has_request = true;
  begin(socket);
  env_.net_handles.retain(socket);  // the handle's
  loop_.add_active_handle();
  env_.net_handles.feed(socket);
  return emitter;
}

// uv_tcp_connect. The loopback answers before the call returns, but Linux reports the answer, also a refusal, as an
// event of the socket: it is ready at its first poll. The server's descriptor is ready at once.
void Sockets::start_connecting(std::uint32_t socket) {
  if (!heap_.nets[socket].is_connecting) return;  // destroyed meanwhile
  heap_.nets[socket].has_request = true;
  loop_.add_active_handle();
  if (!env_.servers.meet(socket)) heap_.nets[socket].is_refused = true;
  loop_.watch(socket);
}

// afterConnect. Reading begins after its listeners have returned.
void Sockets::connected(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  net.readable = true;
  if (!profile_.connect_keeps_ended || !net.out.ended) net.writable = true;
  env_.net_handles.retain(socket);
  Flow flow = env_.net_events.emit(socket, NetEvent::connect);
  if (flow == Flow::normal && profile_.tells_ready) flow = env_.net_events.emit(socket, NetEvent::ready);
  const bool is_paused = net.in.paused || net.in.flowing == Readable::Flowing::no;
  if (flow == Flow::normal && !is_paused) flow = env_.readables.look_into(socket);
  env_.net_events.end_callback(flow);
  env_.net_handles.release(socket);
}

bool Sockets::is_readable(const NetObject& net) const {
  if (!profile_.sides_are_computed) return net.readable;
  return !net.destroyed && !net.error_emitted && !net.in.end_emitted;
}

bool Sockets::is_writable(const NetObject& net) const {
  if (!profile_.sides_are_computed) return net.writable;
  return !net.destroyed && !net.has_error && !net.out.ending && !net.out.ended;
}

// The constructor. `writable` is set by connect() and by the server.
void Sockets::begin(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  net.writable = true;
  switch (profile_.socket_end) {
    case SocketEnd::socket_end_event:
      env_.net_events.listen_natively(socket, NetEvent::end, NativeListener::end_own_side);
      if (profile_.final_call == FinalCall::on_finish)
        env_.net_events.listen_natively(socket, NetEvent::finish, NativeListener::on_finish, false);
      env_.net_events.listen_natively(socket, NetEvent::socket_end, NativeListener::on_socket_end, false);
      break;
    default: env_.net_events.listen_natively(socket, NetEvent::end, NativeListener::on_end, false); break;
  }
}

// ---- reading ------------------------------------------------------------------------------------------------------------------

// _read.
void Sockets::read(std::uint32_t socket) {
  const NetObject& net = heap_.nets[socket];
  if (net.is_connecting || !net.has_handle) {
    env_.net_events.listen_natively(socket, NetEvent::connect, NativeListener::read_when_connected);
  } else if (!net.reading_asked) {
    env_.net_handles.start_reading(socket);
  }
}

// onread, onStreamRead: the end of file.
Flow Sockets::end_was_read(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  if (profile_.socket_end != SocketEnd::socket_end_event) {
    if (net.in.end_emitted) return Flow::normal;
    const Flow flow = env_.readables.push_end(socket);
    return flow == Flow::normal ? env_.readables.look_into(socket) : flow;
  }
  Flow flow = env_.readables.push_end(socket);
  if (flow == Flow::normal && net.in.length == 0) {
    net.readable = false;
    flow = maybe_destroy(socket);
  }
  return flow == Flow::normal ? env_.net_events.emit(socket, NetEvent::socket_end) : flow;
}

// onSocketEnd (<= 8).
Flow Sockets::on_socket_end(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  net.in.ended = true;
  Flow flow = Flow::normal;
  if (net.in.end_emitted) {
    net.readable = false;
    flow = maybe_destroy(socket);
  } else {
    env_.net_events.listen_natively(socket, NetEvent::end, NativeListener::end_was_read);
    flow = env_.readables.look_into(socket);
  }
  if (flow != Flow::normal || net.allow_half_open) return flow;
  net.write_after_fin = true;
  return destroy_soon(socket);
}

// onReadableStreamEnd (>= 10).
Flow Sockets::on_readable_end(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  if (!net.allow_half_open) net.write_after_fin = true;
  if (profile_.socket_end == SocketEnd::stream) return Flow::normal;
  const bool ends = !net.allow_half_open && is_writable(net);
  if (ends) {
    const Flow flow = end(socket, false, {}, {});
    if (flow != Flow::normal) return flow;
  }
  if (profile_.socket_end == SocketEnd::maybe_destroy) return maybe_destroy(socket);
  const bool is_done = net.allow_half_open ? !net.destroyed && !is_writable(net) : !ends;
  if (is_done && net.out.length == 0) destroy(socket);
  return Flow::normal;
}

// ---- writing ------------------------------------------------------------------------------------------------------------------

// Socket.prototype.write, which may have been replaced by writeAfterFIN.
Flow Sockets::write(std::uint32_t socket, WriteRequest request) {
  NetObject& net = heap_.nets[socket];
  const bool passes = profile_.write_after_fin == WriteAfterFin::destroys && !net.out.ending;
  if (!net.write_after_fin || passes) return env_.writables.write(socket, std::move(request));
  const Value error = heap_.make_error("Error", "This socket has been ended by the other party", "EPIPE");
  Flow flow = Flow::normal;
  switch (profile_.write_after_fin) {
    case WriteAfterFin::emits: flow = env_.net_events.emit_error(socket, error); break;
    case WriteAfterFin::ticks: env_.net_events.queue_tick(Tick::Native::net_error, socket, {}, error); break;
    case WriteAfterFin::destroys: break;
  }
  if (flow == Flow::normal) env_.net_events.call_on_tick(socket, request.callback, &error);
  if (profile_.write_after_fin == WriteAfterFin::destroys) destroy(socket, &error);
  heap_.release(error);
  return flow;
}

// _writeGeneric: hands bytes to the kernel, which takes all of them.
Flow Sockets::write_out(std::uint32_t socket, std::vector<WriteRequest> requests) {
  NetObject& net = heap_.nets[socket];
  if (net.is_connecting) {
    net.waits_for_connection = std::move(requests);
    env_.net_events.listen_natively(socket, NetEvent::connect, NativeListener::write_when_connected);
    if (profile_.close_fails_write)
      env_.net_events.listen_natively(socket, NetEvent::close, NativeListener::fail_write);
    return Flow::normal;
  }
  if (!net.has_handle) {
    const Value error = env_.writables.node_error(profile_.closed_socket_text, "ERR_SOCKET_CLOSED");
    const Flow flow =
        profile_.closed_write_destroys ? destroy_with_write(socket, error) : env_.writables.on_write(socket, &error);
    heap_.release(error);
    return flow;
  }

  std::string bytes;
  for (const WriteRequest& request : requests) bytes += request.bytes;
  const bool is_late = profile_.writev_is_late && requests.size() > 1;
  Connection::Error failed = env_.connections.send(socket, bytes);
  if (profile_.libuv.writes_are_queued) env_.net_handles.feed(socket);
  if (profile_.libuv.failed_write_is_late || is_late) {
    // A write that fails at once is tried a second time, and its error waits in the pending queue.
    if (failed != Connection::Error::none && !is_late) failed = env_.connections.send(socket, bytes);
    if (failed != Connection::Error::none || is_late) {
      net.late_write = failed != Connection::Error::none ? NetObject::LateWrite::failed : NetObject::LateWrite::done;
      loop_.add_active_handle();
    }
    return failed == Connection::Error::none ? env_.writables.on_write(socket, nullptr) : Flow::normal;
  }
  if (failed == Connection::Error::none) return env_.writables.on_write(socket, nullptr);
  const Value error = system_error("write", failed == Connection::Error::pipe ? "EPIPE" : "ECONNRESET");
  const Flow flow =
      profile_.failed_write_destroys ? destroy_with_write(socket, error) : env_.writables.on_write(socket, &error);
  heap_.release(error);
  return flow;
}

// Socket.prototype.end.
Flow Sockets::end(std::uint32_t socket, bool has_data, WriteRequest data, const Callback& callback) {
  const Flow flow = env_.writables.end(socket, has_data, std::move(data), callback);
  if (flow != Flow::normal || !profile_.end_reads) return flow;
  NetObject& net = heap_.nets[socket];
  net.writable = false;
  return net.readable && !net.in.end_emitted ? env_.readables.look_into(socket) : maybe_destroy(socket);
}

// _final; in Node 4 and 6 the listener onSocketFinish.
Flow Sockets::final(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  const bool by_finish = profile_.final_call == FinalCall::on_finish;
  if (net.is_connecting || (!net.has_handle && profile_.final_waits_if_gone)) {
    env_.net_events.listen_natively(socket, NetEvent::connect, NativeListener::final_when_connected);
    return Flow::normal;
  }
  const bool is_over = profile_.socket_end == SocketEnd::socket_end_event && (!net.readable || net.in.ended);
  if (is_over || !net.has_handle) {
    Flow flow = by_finish ? Flow::normal : env_.writables.final_done(socket);
    if (flow == Flow::normal && profile_.socket_end == SocketEnd::socket_end_event) destroy(socket);
    return flow;
  }
  net.is_shutting = true;
  loop_.add_active_handle();
  if (profile_.libuv.shutdown_in_poll) {
    loop_.rewatch(socket);
  } else {
    env_.net_handles.feed(socket);
  }
  return Flow::normal;
}

Flow Sockets::after_shutdown(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  Flow flow = profile_.final_call == FinalCall::on_finish ? Flow::normal : env_.writables.final_done(socket);
  if (flow != Flow::normal || net.destroyed) return flow;
  switch (profile_.socket_end) {
    case SocketEnd::socket_end_event:
      if (net.in.ended) {
        destroy(socket);
      } else {
        env_.net_events.listen_natively(socket, NetEvent::socket_end, NativeListener::destroy);
      }
      break;
    case SocketEnd::maybe_destroy:
      if (!net.readable || net.in.ended) destroy(socket);
      break;
    case SocketEnd::own_side:
      if (!is_readable(net) || net.in.end_emitted) destroy(socket);
      break;
    case SocketEnd::stream: break;
  }
  return Flow::normal;
}

// ---- the end --------------------------------------------------------------------------------------------------------

Flow Sockets::maybe_destroy(std::uint32_t socket) {
  const NetObject& net = heap_.nets[socket];
  if (!net.readable && !net.writable && !net.destroyed && !net.is_connecting && net.out.length == 0) destroy(socket);
  return Flow::normal;
}

Flow Sockets::destroy_soon(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  if (is_writable(net)) {
    const Flow flow = end(socket, false, {}, {});
    if (flow != Flow::normal) return flow;
  }
  if (net.out.finished) {
    destroy(socket);
  } else {
    env_.net_events.listen_natively(socket, NetEvent::finish, NativeListener::destroy);
  }
  return Flow::normal;
}

void Sockets::keep_error(NetObject& net, const Value& error) {
  if (net.has_error) return;
  net.has_error = true;
  net.error = heap_.copy(error);
}

// Socket.prototype.destroy(error).
void Sockets::destroy(std::uint32_t socket, const Value* error) {
  NetObject& net = heap_.nets[socket];
  const bool tells_error = error != nullptr && !profile_.keeps_error && !net.error_emitted;
  if (net.destroyed) {
    if (tells_error) {
      net.error_emitted = true;
      env_.net_events.queue_tick(Tick::Native::net_error, socket, {}, *error);
    }
    return;
  }
  if (profile_.destroy_fails_writes && (!net.out.buffered.empty() || !net.out.finish_callbacks.empty()))
    env_.net_events.queue_tick(Tick::Native::error_buffer, socket);
  if (error != nullptr && profile_.keeps_error) keep_error(net, *error);
  net.destroyed = true;
  net.had_error = error != nullptr;
  net.is_connecting = false;
  net.readable = net.writable = false;
  env_.net_handles.close(socket);
  if (profile_.keeps_error) {
    env_.net_events.queue_tick(error != nullptr ? Tick::Native::error_close : Tick::Native::close_told, socket, {},
                               error != nullptr ? *error : Value{});
  } else if (tells_error) {
    net.error_emitted = true;
    env_.net_events.queue_tick(Tick::Native::net_error, socket, {}, *error);
  }
  leave_server(net);
}

void Sockets::destroy_and_release(std::uint32_t socket, const Value& error) {
  destroy(socket, &error);
  heap_.release(error);
}

// destroy(error, callback) with the callback of a write (<= 14). Up to Node 12 it reports the error itself.
Flow Sockets::destroy_with_write(std::uint32_t socket, const Value& error) {
  NetObject& net = heap_.nets[socket];
  if (!net.destroyed) {
    if (profile_.keeps_error) keep_error(net, error);
    net.destroyed = true;
    net.had_error = true;
    net.is_connecting = false;
    net.readable = net.writable = false;
    env_.net_handles.close(socket);
  }
  const Flow flow = env_.writables.on_write(socket, &error);
  if (flow != Flow::normal) return flow;
  if (profile_.keeps_error) env_.net_events.queue_tick(Tick::Native::error_close, socket, {}, error);
  leave_server(net);
  return flow;
}

void Sockets::leave_server(NetObject& net) {
  if (const std::uint32_t server = std::exchange(net.server, kNone); server != kNone)
    env_.servers.connection_gone(server);
}

// ---- errors -------------------------------------------------------------------------------------------------------------------

Value Sockets::system_error(std::string_view call, std::string_view code, const std::string& place) {
  return heap_.make_error("Error", std::string(call) + " " + std::string(code) + place, code);
}

Value Sockets::connect_error(std::uint32_t socket, std::string_view code) {
  const NetObject& net = heap_.nets[socket];
  return system_error("connect", code, net.path.empty() ? " 127.0.0.1:" + std::to_string(net.port) : " " + net.path);
}

}  // namespace loopsim::node
