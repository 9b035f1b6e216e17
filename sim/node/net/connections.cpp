#include "sim/node/net/connections.hpp"

#include "sim/node/environment.hpp"

namespace loopsim::node {

void Connections::deliver_bytes(std::uint32_t socket, std::string_view bytes) {
  if (heap_.nets[socket].client != kNone || heap_.nets[socket].is_sink) return;  // which reads all data
  Connection& connection = heap_.nets[socket].connection;
  if (connection.received.empty()) connection.received_at = loop_.moment();
  connection.received += bytes;
  loop_.report_ready(socket);
}

// FIN: the other side has shut down, or was closed without unread data.
void Connections::deliver_end(std::uint32_t socket) {
  if (heap_.nets[socket].is_sink) return;
  heap_.nets[socket].connection.received_end = true;
  heap_.nets[socket].connection.ended_at = loop_.moment();
  if (heap_.nets[socket].client != kNone) return env_.arrivals.client_hears(socket, AnswerKind::end);
  loop_.report_ready(socket);
}

// RST. A socket whose other side had ended before reads no error, but its writes fail with EPIPE.
void Connections::deliver_reset(std::uint32_t socket) {
  if (heap_.nets[socket].is_sink) return;
  Connection& connection = heap_.nets[socket].connection;
  if (heap_.nets[socket].client != kNone) env_.arrivals.client_hears(socket, AnswerKind::reset);
  connection.is_reset = true;
  connection.error = connection.received_end ? Connection::Error::pipe : Connection::Error::reset;
  loop_.report_ready(socket);
}

// send(2). A closed other side answers with RST.
Connection::Error Connections::send(std::uint32_t socket, std::string_view bytes) {
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

// close(2): unread bytes reset the connection.
void Connections::close(std::uint32_t socket) {
  const std::uint32_t peer = std::exchange(heap_.nets[socket].peer, kNone);
  if (peer == kNone) return;
  heap_.nets[peer].peer = kNone;
  if (!heap_.nets[socket].connection.received.empty()) return deliver_reset(peer);
  if (!heap_.nets[socket].connection.sent_end) deliver_end(peer);
}

void Connections::reset(std::uint32_t socket) {
  const std::uint32_t peer = std::exchange(heap_.nets[socket].peer, kNone);
  heap_.nets[peer].peer = kNone;
  deliver_reset(peer);
}

}  // namespace loopsim::node
