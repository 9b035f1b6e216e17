// net.Socket, between the streams and the handle (lib/net.js, lib/internal/stream_base_commons.js).
#include <string>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

bool Environment::is_readable(const NetObject& net) const {
  if (!profile_.sides_are_computed) return net.readable;
  return !net.destroyed && !net.error_emitted && !net.in.end_emitted;
}

bool Environment::is_writable(const NetObject& net) const {
  if (!profile_.sides_are_computed) return net.writable;
  return !net.destroyed && !net.has_error && !net.out.ending && !net.out.ended;
}

// The constructor. `writable` is set by connect() and by the server.
void Environment::begin_socket(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  net.writable = true;
  switch (profile_.socket_end) {
    case SocketEnd::socket_end_event:
      listen_natively(socket, NetEvent::end, NativeListener::end_own_side);
      if (profile_.final_call == FinalCall::on_finish)
        listen_natively(socket, NetEvent::finish, NativeListener::on_finish, false);
      listen_natively(socket, NetEvent::socket_end, NativeListener::on_socket_end, false);
      break;
    default: listen_natively(socket, NetEvent::end, NativeListener::on_end, false); break;
  }
}

// ---- reading ------------------------------------------------------------------------------------------------------------------

// _read.
void Environment::socket_read(std::uint32_t socket) {
  const NetObject& net = heap_.nets[socket];
  if (net.is_connecting || !net.has_handle) {
    listen_natively(socket, NetEvent::connect, NativeListener::read_when_connected);
  } else if (!net.reading_asked) {
    start_reading(socket);
  }
}

// onread, onStreamRead: the end of file.
Flow Environment::socket_ended(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  if (profile_.socket_end != SocketEnd::socket_end_event) {
    if (net.in.end_emitted) return Flow::normal;
    const Flow flow = push_end(socket);
    return flow == Flow::normal ? look_into_stream(socket) : flow;
  }
  Flow flow = push_end(socket);
  if (flow == Flow::normal && net.in.length == 0) {
    net.readable = false;
    flow = maybe_destroy(socket);
  }
  return flow == Flow::normal ? emit_net(socket, NetEvent::socket_end) : flow;
}

// onSocketEnd (<= 8).
Flow Environment::on_socket_end(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  net.in.ended = true;
  Flow flow = Flow::normal;
  if (net.in.end_emitted) {
    net.readable = false;
    flow = maybe_destroy(socket);
  } else {
    listen_natively(socket, NetEvent::end, NativeListener::end_was_read);
    flow = look_into_stream(socket);
  }
  if (flow != Flow::normal || net.allow_half_open) return flow;
  net.write_after_fin = true;
  return destroy_soon(socket);
}

// onReadableStreamEnd (>= 10).
Flow Environment::on_readable_end(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  if (!net.allow_half_open) net.write_after_fin = true;
  if (profile_.socket_end == SocketEnd::stream) return Flow::normal;
  const bool ends = !net.allow_half_open && is_writable(net);
  if (ends) {
    const Flow flow = end_socket(socket, false, {}, {});
    if (flow != Flow::normal) return flow;
  }
  if (profile_.socket_end == SocketEnd::maybe_destroy) return maybe_destroy(socket);
  const bool is_done = net.allow_half_open ? !net.destroyed && !is_writable(net) : !ends;
  if (is_done && net.out.length == 0) destroy_socket(socket);
  return Flow::normal;
}

// ---- writing ------------------------------------------------------------------------------------------------------------------

// Socket.prototype.write, which may have been replaced by writeAfterFIN.
Flow Environment::write_socket(std::uint32_t socket, WriteRequest request) {
  NetObject& net = heap_.nets[socket];
  const bool passes = profile_.write_after_fin == WriteAfterFin::destroys && !net.out.ending;
  if (!net.write_after_fin || passes) return write_stream(socket, std::move(request));
  const Value error = heap_.make_error("Error", "This socket has been ended by the other party", "EPIPE");
  Flow flow = Flow::normal;
  switch (profile_.write_after_fin) {
    case WriteAfterFin::emits: flow = emit_error(socket, error); break;
    case WriteAfterFin::ticks: queue_net_tick(Tick::Native::net_error, socket, {}, error); break;
    case WriteAfterFin::destroys: break;
  }
  if (flow == Flow::normal) call_on_tick(socket, request.callback, &error);
  if (profile_.write_after_fin == WriteAfterFin::destroys) destroy_socket(socket, &error);
  heap_.release(error);
  return flow;
}

// _writeGeneric: hands bytes to the kernel, which takes all of them.
Flow Environment::socket_write_out(std::uint32_t socket, std::vector<WriteRequest> requests) {
  NetObject& net = heap_.nets[socket];
  if (net.is_connecting) {
    net.waits_for_connection = std::move(requests);
    listen_natively(socket, NetEvent::connect, NativeListener::write_when_connected);
    if (profile_.close_fails_write) listen_natively(socket, NetEvent::close, NativeListener::fail_write);
    return Flow::normal;
  }
  if (!net.has_handle) {
    const Value error = node_error(profile_.closed_socket_text, "ERR_SOCKET_CLOSED");
    const Flow flow = profile_.closed_write_destroys ? destroy_with_write(socket, error) : on_write(socket, &error);
    heap_.release(error);
    return flow;
  }

  std::string bytes;
  for (const WriteRequest& request : requests) bytes += request.bytes;
  const bool is_late = profile_.writev_is_late && requests.size() > 1;
  Connection::Error failed = send_bytes(socket, bytes);
  if (profile_.libuv.writes_are_queued) feed(socket);
  if (profile_.libuv.failed_write_is_late || is_late) {
    // A write that fails at once is tried a second time, and its error waits in the pending queue.
    if (failed != Connection::Error::none && !is_late) failed = send_bytes(socket, bytes);
    if (failed != Connection::Error::none || is_late) {
      net.late_write = failed != Connection::Error::none ? NetObject::LateWrite::failed : NetObject::LateWrite::done;
      loop_.add_active_handle();
    }
    return failed == Connection::Error::none ? on_write(socket, nullptr) : Flow::normal;
  }
  if (failed == Connection::Error::none) return on_write(socket, nullptr);
  const Value error = system_error("write", failed == Connection::Error::pipe ? "EPIPE" : "ECONNRESET");
  const Flow flow = profile_.failed_write_destroys ? destroy_with_write(socket, error) : on_write(socket, &error);
  heap_.release(error);
  return flow;
}

// Socket.prototype.end.
Flow Environment::end_socket(std::uint32_t socket, bool has_data, WriteRequest data, const Callback& callback) {
  const Flow flow = end_stream(socket, has_data, std::move(data), callback);
  if (flow != Flow::normal || !profile_.end_reads) return flow;
  NetObject& net = heap_.nets[socket];
  net.writable = false;
  return net.readable && !net.in.end_emitted ? look_into_stream(socket) : maybe_destroy(socket);
}

// _final; in Node 4 and 6 the listener onSocketFinish.
Flow Environment::socket_final(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  const bool by_finish = profile_.final_call == FinalCall::on_finish;
  if (net.is_connecting || (!net.has_handle && profile_.final_waits_if_gone)) {
    listen_natively(socket, NetEvent::connect, NativeListener::final_when_connected);
    return Flow::normal;
  }
  const bool is_over = profile_.socket_end == SocketEnd::socket_end_event && (!net.readable || net.in.ended);
  if (is_over || !net.has_handle) {
    Flow flow = by_finish ? Flow::normal : final_done(socket);
    if (flow == Flow::normal && profile_.socket_end == SocketEnd::socket_end_event) destroy_socket(socket);
    return flow;
  }
  net.is_shutting = true;
  loop_.add_active_handle();
  if (profile_.libuv.shutdown_in_poll) {
    loop_.rewatch(socket);
  } else {
    feed(socket);
  }
  return Flow::normal;
}

Flow Environment::after_shutdown(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  Flow flow = profile_.final_call == FinalCall::on_finish ? Flow::normal : final_done(socket);
  if (flow != Flow::normal || net.destroyed) return flow;
  switch (profile_.socket_end) {
    case SocketEnd::socket_end_event:
      if (net.in.ended) {
        destroy_socket(socket);
      } else {
        listen_natively(socket, NetEvent::socket_end, NativeListener::destroy);
      }
      break;
    case SocketEnd::maybe_destroy:
      if (!net.readable || net.in.ended) destroy_socket(socket);
      break;
    case SocketEnd::own_side:
      if (!is_readable(net) || net.in.end_emitted) destroy_socket(socket);
      break;
    case SocketEnd::stream: break;
  }
  return Flow::normal;
}

// ---- its end ------------------------------------------------------------------------------------------------------------------

Flow Environment::maybe_destroy(std::uint32_t socket) {
  const NetObject& net = heap_.nets[socket];
  if (!net.readable && !net.writable && !net.destroyed && !net.is_connecting && net.out.length == 0)
    destroy_socket(socket);
  return Flow::normal;
}

Flow Environment::destroy_soon(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  if (is_writable(net)) {
    const Flow flow = end_socket(socket, false, {}, {});
    if (flow != Flow::normal) return flow;
  }
  if (net.out.finished) {
    destroy_socket(socket);
  } else {
    listen_natively(socket, NetEvent::finish, NativeListener::destroy);
  }
  return Flow::normal;
}

void Environment::keep_error(NetObject& net, const Value& error) {
  if (net.has_error) return;
  net.has_error = true;
  net.error = heap_.copy(error);
}

// Socket.prototype.destroy(error).
void Environment::destroy_socket(std::uint32_t socket, const Value* error) {
  NetObject& net = heap_.nets[socket];
  const bool tells_error = error != nullptr && !profile_.keeps_error && !net.error_emitted;
  if (net.destroyed) {
    if (tells_error) {
      net.error_emitted = true;
      queue_net_tick(Tick::Native::net_error, socket, {}, *error);
    }
    return;
  }
  if (profile_.destroy_fails_writes && (!net.out.buffered.empty() || !net.out.finish_callbacks.empty()))
    queue_net_tick(Tick::Native::error_buffer, socket);
  if (error != nullptr && profile_.keeps_error) keep_error(net, *error);
  net.destroyed = true;
  net.had_error = error != nullptr;
  net.is_connecting = false;
  net.readable = net.writable = false;
  close_handle(socket);
  if (profile_.keeps_error) {
    queue_net_tick(error != nullptr ? Tick::Native::error_close : Tick::Native::close_told, socket, {},
                   error != nullptr ? *error : Value{});
  } else if (tells_error) {
    net.error_emitted = true;
    queue_net_tick(Tick::Native::net_error, socket, {}, *error);
  }
  const std::uint32_t server = std::exchange(net.server, kNone);
  if (server == kNone) return;
  --heap_.nets[server].connections;
  emit_close_if_drained(server);
  release_net(server);
}

void Environment::destroy_and_release(std::uint32_t socket, const Value& error) {
  destroy_socket(socket, &error);
  heap_.release(error);
}

// destroy(error, callback), the callback being that of a write (<= 14). Up to Node 12 it tells the error itself.
Flow Environment::destroy_with_write(std::uint32_t socket, const Value& error) {
  NetObject& net = heap_.nets[socket];
  if (!net.destroyed) {
    if (profile_.keeps_error) keep_error(net, error);
    net.destroyed = true;
    net.had_error = true;
    net.is_connecting = false;
    net.readable = net.writable = false;
    close_handle(socket);
  }
  const Flow flow = on_write(socket, &error);
  if (flow != Flow::normal) return flow;
  if (profile_.keeps_error) queue_net_tick(Tick::Native::error_close, socket, {}, error);
  const std::uint32_t server = std::exchange(net.server, kNone);
  if (server == kNone) return flow;
  --heap_.nets[server].connections;
  emit_close_if_drained(server);
  release_net(server);
  return flow;
}

// ---- errors -------------------------------------------------------------------------------------------------------------------

Value Environment::system_error(std::string_view call, std::string_view code, const std::string& place) {
  return heap_.make_error("Error", std::string(call) + " " + std::string(code) + place, code);
}

Value Environment::connect_error(std::uint32_t socket, std::string_view code) {
  const NetObject& net = heap_.nets[socket];
  return system_error("connect", code, net.path.empty() ? " 127.0.0.1:" + std::to_string(net.port) : " " + net.path);
}

}  // namespace loopsim::node
