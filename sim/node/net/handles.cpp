#include "sim/node/net/handles.hpp"

#include <string>
#include <utility>

#include "sim/node/environment.hpp"
#include "sim/runtime/received.hpp"

namespace loopsim::node {

std::uint8_t NetHandles::watched_for(std::uint32_t index) const {
  const NetObject& net = heap_.nets[index];
  if (net.is_server) return uv::IoEvents::in;
  if (net.has_request) return uv::IoEvents::out;
  std::uint8_t events = net.is_reading ? uv::IoEvents::in : 0;
  if (!net.unsent.empty()) events |= uv::IoEvents::out;
  if (net.is_shutting && profile_.libuv.shutdown_in_poll) events |= uv::IoEvents::out;
  return events;
}

std::uint8_t NetHandles::state(std::uint32_t index) const {
  const NetObject& net = heap_.nets[index];
  if (net.is_server) return net.backlog.empty() ? 0 : uv::IoEvents::in;
  const Connection& connection = net.connection;
  std::uint8_t events = net.unsent.empty() || env_.raw_handles.is_writable(index) ? uv::IoEvents::out : 0;
  if (!connection.received.empty() || connection.received_end || connection.is_reset) events |= uv::IoEvents::in;
  if (connection.is_reset || (connection.received_end && connection.sent_end)) events |= uv::IoEvents::hup;
  return events;
}

void NetHandles::on_io(std::uint32_t index, std::uint8_t events) {
  NetObject& net = heap_.nets[index];
  if (net.is_server) return env_.servers.accept(index);
  if (!net.has_request) {
    // Events that it no longer waits for are not reported, except errors (uv__io_poll).
    const std::uint8_t wanted = watched_for(index);
    events &= wanted | uv::IoEvents::hup;
    if (events == 0) return;
    if (events == uv::IoEvents::hup) events |= wanted;
    return stream_io(index, events);
  }
  net.has_request = false;
  loop_.remove_active_handle();
  if (net.is_raw) {
    const std::string_view error = net.is_refused ? "ECONNREFUSED" : net.connection.is_reset ? "ECONNRESET" : "";
    return env_.raw_handles.connected(index, error);
  }
  if (net.is_refused || net.connection.is_reset) {
    env_.sockets.destroy_and_release(index,
                                     env_.sockets.connect_error(index, net.is_refused ? "ECONNREFUSED" : "ECONNRESET"));
    env_.net_events.end_callback(Flow::normal);
    return;
  }
  net.is_connecting = false;
  env_.sockets.connected(index);
}

void NetHandles::on_pending(std::uint32_t index) {
  NetObject& net = heap_.nets[index];
  net.is_fed = false;
  retain(index);
  if (net.has_request) {
    net.has_request = false;
    loop_.remove_active_handle();
    if (net.is_raw) {
      env_.raw_handles.connected(index, net.is_refused ? "ENOENT" : "");
    } else {
      env_.sockets.destroy_and_release(index, env_.sockets.connect_error(index, "ENOENT"));
      env_.net_events.end_callback(Flow::normal);
    }
  } else {
    write(index);
  }
  release(index);
}

void NetHandles::on_close(std::uint32_t index) {
  const NetObject& net = heap_.nets[index];
  if (!net.is_server) {
    finish_late_write(index);
    if (!stopping()) finish_shutdown(index, true);
    const Value had_error = Value::of_boolean(net.had_error);
    if (!stopping() && !net.is_raw)
      env_.net_events.end_callback(env_.net_events.emit(index, NetEvent::close, std::span(&had_error, 1)));
  }
  if (!stopping() && net.is_raw) env_.raw_handles.closed(index);
  if (net.is_raw) engine_.handle_gone(index);
  release(index);
}

void NetHandles::count(std::uint32_t index) {
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
void NetHandles::feed(std::uint32_t index) {
  if (std::exchange(heap_.nets[index].is_fed, true)) return;
  loop_.feed_pending(index);
}

// uv_close: only its callback follows, in the closing phase.
void NetHandles::close(std::uint32_t index) {
  NetObject& net = heap_.nets[index];
  if (!net.has_handle) return;
  net.has_handle = false;
  net.is_reading = net.is_started = false;
  count(index);
  if (std::exchange(net.has_request, false)) loop_.remove_active_handle();
  if (std::exchange(net.is_fed, false)) loop_.unfeed_pending(index);
  loop_.unwatch(index);
  loop_.close_with_callback(index);
  if (!net.is_server) env_.connections.close(index);
}

// server.ref(), socket.unref() ...
void NetHandles::reference(std::uint32_t net, bool is_referenced) {
  heap_.nets[net].is_referenced = is_referenced;
  count(net);
}

// ---- reports from the loop ------------------------------------------------------------------------------------------

// uv__stream_io.
void NetHandles::stream_io(std::uint32_t socket, std::uint8_t events) {
  retain(socket);
  const NetObject& net = heap_.nets[socket];
  if ((events & (uv::IoEvents::in | uv::IoEvents::hup)) != 0) read(socket, events);
  heap_.nets[socket].since = -1;  // later reports do not refer to this arrival
  if (net.has_handle && !stopping() && (events & (uv::IoEvents::out | uv::IoEvents::hup)) != 0) write(socket);
  release(socket);
}

// uv__read: all available bytes in one chunk; or the end, or an error. If both sides have ended, the end follows.
void NetHandles::read(std::uint32_t socket, std::uint8_t events) {
  NetObject& net = heap_.nets[socket];
  Connection& connection = net.connection;
  if (!net.is_reading) return;
  if (net.is_raw) return read_raw(socket, events);
  if (!connection.received.empty()) {
    std::string chunk = std::exchange(connection.received, {});
    net.since = connection.received_at;
    trace_arrival(socket, chunk);
    bool more = false;
    const Flow flow = env_.readables.push_chunk(socket, std::move(chunk), more);
    if (flow == Flow::normal && !more && net.has_handle) {
      net.reading_asked = false;
      stop_reading(socket);
    }
    env_.net_events.end_callback(flow);
    if (!profile_.libuv.hup_ends_reading || (events & uv::IoEvents::hup) == 0 || !net.has_handle || !net.is_reading ||
        stopping())
      return;
  } else if (!connection.received_end && connection.error != Connection::Error::none) {
    const bool is_pipe = std::exchange(connection.error, Connection::Error::none) == Connection::Error::pipe;
    net.is_reading = false;
    net.is_started = false;
    count(socket);
    env_.sockets.destroy_and_release(socket, env_.sockets.system_error("read", is_pipe ? "EPIPE" : "ECONNRESET"));
    env_.net_events.end_callback(Flow::normal);
    return;
  } else if (!connection.received_end && !connection.is_reset) {
    return;
  }
  net.since = connection.ended_at;
  net.read_end = true;
  stop_reading(socket);
  trace_arrival(socket, {});
  env_.net_events.end_callback(env_.sockets.end_was_read(socket));
}

// The same, with a chunk of at most a buffer's size, and more of them as long as they fill it.
void NetHandles::read_raw(std::uint32_t socket, std::uint8_t events) {
  constexpr std::size_t kBuffer = 64 * 1024;
  constexpr int kMostReads = 32;
  NetObject& net = heap_.nets[socket];
  Connection& connection = net.connection;
  bool has_read = false, was_full = true;
  for (int reads = 0; reads < kMostReads && was_full && !connection.received.empty(); ++reads) {
    std::string chunk = connection.received.substr(0, kBuffer);
    was_full = chunk.size() == kBuffer;
    if (chunk.size() == connection.received.size())
      connection.received.clear();
    else
      connection.received.erase(0, kBuffer);
    has_read = true;
    env_.raw_handles.peer_has_read(socket);
    net.since = connection.received_at;
    trace_arrival(socket, chunk);
    env_.raw_handles.read(socket, chunk);
    if (!net.has_handle || !net.is_reading || stopping()) return;
  }
  if (!connection.received.empty()) return loop_.report_ready(socket);
  if (has_read && (!profile_.libuv.hup_ends_reading || (events & uv::IoEvents::hup) == 0)) return;
  std::string_view error;
  if (!has_read && !connection.received_end && connection.error != Connection::Error::none) {
    error =
        std::exchange(connection.error, Connection::Error::none) == Connection::Error::pipe ? "EPIPE" : "ECONNRESET";
    net.is_reading = net.is_started = false;
    count(socket);
  } else if (!has_read && !connection.received_end && !connection.is_reset) {
    return;
  } else {
    net.since = connection.ended_at;
    net.read_end = true;
    stop_reading(socket);
    trace_arrival(socket, {});
  }
  env_.raw_handles.read_end(socket, error);
}

void NetHandles::trace_arrival(std::uint32_t socket, std::string_view bytes) {
  runtime::trace_received(tracer_, heap_.emitters[heap_.nets[socket].emitter].label, bytes);
}

// The write queue is empty: uv__write_callbacks, uv__drain.
void NetHandles::write(std::uint32_t socket) {
  if (!heap_.nets[socket].unsent.empty()) return env_.raw_handles.go_on(socket);
  finish_late_write(socket);
  if (heap_.nets[socket].has_handle && !stopping()) finish_shutdown(socket, false);
}

// afterWrite, onWriteComplete (<= 12) of a queued write that has failed, or had several buffers.
void NetHandles::finish_late_write(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  if (!net.has_handle && !std::exchange(net.unsent, {}).empty()) {  // closed
    loop_.remove_active_handle();
    return env_.raw_handles.written(socket, "ECANCELED");
  }
  const auto how = std::exchange(net.late_write, NetObject::LateWrite::none);
  if (how == NetObject::LateWrite::none) return;
  loop_.remove_active_handle();
  if (net.is_raw) return env_.raw_handles.written(socket, how == NetObject::LateWrite::failed ? "EPIPE" : "");
  Flow flow = Flow::normal;
  if (net.destroyed) {
    if (profile_.gone_write_succeeds && how == NetObject::LateWrite::failed)
      flow = env_.writables.on_write(socket, nullptr);
  } else if (how == NetObject::LateWrite::failed) {
    const Value error = env_.sockets.system_error("write", "EPIPE");
    flow = env_.sockets.destroy_with_write(socket, error);
    heap_.release(error);
  }
  env_.net_events.end_callback(flow);
}

// shutdown(2), and the callback of uv_shutdown.
void NetHandles::finish_shutdown(std::uint32_t socket, bool cancelled) {
  NetObject& net = heap_.nets[socket];
  if (!net.is_shutting) return;
  net.is_shutting = false;
  loop_.remove_active_handle();
  if (!cancelled && profile_.libuv.shutdown_in_poll) watch_less(socket);
  if (!cancelled && !net.connection.is_reset) {
    net.connection.sent_end = true;
    if (net.peer != kNone) {
      env_.connections.deliver_end(net.peer);
      // Its acknowledgement: the socket's state changes (FIN_WAIT2), which epoll gets without an event.
      if (!net.connection.received_end) loop_.list(socket);
    }
  }
  if (net.is_raw) return env_.raw_handles.shut(socket, cancelled ? "ECANCELED" : "");
  env_.net_events.end_callback(env_.sockets.after_shutdown(socket));
}

void NetHandles::start_reading(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  net.reading_asked = true;
  net.is_reading = true;
  net.is_started = true;
  count(socket);
  loop_.rewatch(socket);
}

void NetHandles::stop_reading(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  if (!net.is_reading) return;
  net.is_reading = false;
  if (!profile_.libuv.eof_keeps_shutdown || !net.is_shutting) net.is_started = false;
  count(socket);
  watch_less(socket);
}

// uv__io_stop: what is still watched for is registered anew.
void NetHandles::watch_less(std::uint32_t socket) {
  if (watched_for(socket) == 0)
    loop_.stop_watching(socket);
  else
    loop_.rewatch(socket);
}

}  // namespace loopsim::node
