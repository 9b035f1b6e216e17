// The handle of a socket: what libuv reads, and when it tells of what it has written and shut down (libuv src/unix/stream.c).
#include <algorithm>
#include <string>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

// ---- what the loop tells it ---------------------------------------------------------------------------------------------------

// afterConnect. It begins to read when its listeners have returned.
void Environment::socket_connected(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  net.readable = true;
  if (!profile_.connect_keeps_ended || !net.out.ended) net.writable = true;
  retain_net(socket);
  Flow flow = emit_net(socket, NetEvent::connect);
  if (flow == Flow::normal && profile_.tells_ready) flow = emit_net(socket, NetEvent::ready);
  const bool is_paused = net.in.paused || net.in.flowing == Readable::Flowing::no;
  if (flow == Flow::normal && !is_paused) flow = look_into_stream(socket);
  end_net_callback(flow);
  release_net(socket);
}

// uv__stream_io.
void Environment::socket_events(std::uint32_t socket, std::uint8_t events) {
  retain_net(socket);
  const NetObject& net = heap_.nets[socket];
  if ((events & (uv::IoEvents::in | uv::IoEvents::hup)) != 0) socket_read_event(socket, events);
  heap_.nets[socket].since = -1;  // what it tells of later, it could have told before
  if (net.has_handle && !stopping() && (events & (uv::IoEvents::out | uv::IoEvents::hup)) != 0)
    socket_write_event(socket);
  release_net(socket);
}

// uv__read: all that is there, in one chunk; or the end, or an error. When both sides have ended, the end comes along.
void Environment::socket_read_event(std::uint32_t socket, std::uint8_t events) {
  NetObject& net = heap_.nets[socket];
  Connection& connection = net.connection;
  if (!net.is_reading) return;
  if (!connection.received.empty()) {
    std::string chunk = std::exchange(connection.received, {});
    net.since = connection.received_at;
    trace_arrival(socket, chunk);
    bool more = false;
    const Flow flow = push_chunk(socket, std::move(chunk), more);
    if (flow == Flow::normal && !more && net.has_handle) {
      net.reading_asked = false;
      stop_reading(socket);
    }
    end_net_callback(flow);
    if (!profile_.libuv.hup_ends_reading || (events & uv::IoEvents::hup) == 0 || !net.has_handle || !net.is_reading ||
        stopping())
      return;
  } else if (!connection.received_end && connection.error != Connection::Error::none) {
    const bool is_pipe = std::exchange(connection.error, Connection::Error::none) == Connection::Error::pipe;
    net.is_reading = false;
    net.is_started = false;
    count_handle(socket);
    destroy_and_release(socket, system_error("read", is_pipe ? "EPIPE" : "ECONNRESET"));
    end_net_callback(Flow::normal);
    return;
  } else if (!connection.received_end && !connection.is_reset) {
    return;
  }
  net.since = connection.ended_at;
  net.read_end = true;
  stop_reading(socket);
  trace_arrival(socket, {});
  end_net_callback(socket_ended(socket));
}

void Environment::trace_arrival(std::uint32_t socket, std::string_view bytes) {
  constexpr std::size_t kShown = 40;
  if (!tracer_.on()) return;
  std::size_t shown = std::min(bytes.size(), kShown);
  while (shown > 0 && shown < bytes.size() && (static_cast<unsigned char>(bytes[shown]) & 0xc0U) == 0x80U) --shown;
  Event& event = tracer_.add_text(EventKind::receive, bytes.substr(0, shown));
  event.name = heap_.emitters[heap_.nets[socket].emitter].label;
  event.a = static_cast<std::int64_t>(bytes.size());
}

// The write queue is empty: uv__write_callbacks, uv__drain.
void Environment::socket_write_event(std::uint32_t socket) {
  finish_late_write(socket);
  if (heap_.nets[socket].has_handle && !stopping()) finish_shutdown(socket, false);
}

// afterWrite, onWriteComplete (<= 12) of a write that went through the queue and has failed, or had several buffers.
void Environment::finish_late_write(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  const auto how = std::exchange(net.late_write, NetObject::LateWrite::none);
  if (how == NetObject::LateWrite::none) return;
  loop_.remove_active_handle();
  Flow flow = Flow::normal;
  if (net.destroyed) {
    if (profile_.gone_write_succeeds && how == NetObject::LateWrite::failed) flow = on_write(socket, nullptr);
  } else if (how == NetObject::LateWrite::failed) {
    const Value error = system_error("write", "EPIPE");
    flow = destroy_with_write(socket, error);
    heap_.release(error);
  }
  end_net_callback(flow);
}

// shutdown(2), and the callback of uv_shutdown.
void Environment::finish_shutdown(std::uint32_t socket, bool cancelled) {
  NetObject& net = heap_.nets[socket];
  if (!net.is_shutting) return;
  net.is_shutting = false;
  loop_.remove_active_handle();
  if (!cancelled && !net.connection.is_reset) {
    net.connection.sent_end = true;
    if (net.peer != kNone) {
      deliver_end(net.peer);
      // Its acknowledgement: a change of the socket's state (FIN_WAIT2) that epoll is told of without an event.
      if (!net.connection.received_end) loop_.list(socket);
    }
  }
  end_net_callback(after_shutdown(socket));
}

void Environment::start_reading(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  net.reading_asked = true;
  net.is_reading = true;
  net.is_started = true;
  count_handle(socket);
  loop_.rewatch(socket);
}

void Environment::stop_reading(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  if (!net.is_reading) return;
  net.is_reading = false;
  if (!profile_.libuv.eof_keeps_shutdown || !net.is_shutting) net.is_started = false;
  count_handle(socket);
  if (watched_for(this, socket) == 0) loop_.stop_watching(socket);
}

}  // namespace loopsim::node
