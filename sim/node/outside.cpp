#include "sim/node/outside.hpp"

#include <algorithm>
#include <utility>

#include "sim/node/environment.hpp"
#include "sim/runtime/input_words.hpp"

namespace loopsim::node {

void Outside::schedule(std::uint64_t seed) {
  for (std::uint32_t i = 0; i < setup_.inputs.size(); ++i) {
    if (setup_.inputs[i].arrivals)
      env_.arrivals.begin(i, seed);
    else
      machine_.schedule({setup_.inputs[i].at, machine_.next_order(), FutureEvent::Kind::outside, i});
  }
}

void Outside::happen(const OutsideEvent& event, TimeNs at) {
  if (env_.ending.is_over()) return;
  if (tracer_.on()) tracer_.add_text(EventKind::input, runtime::input_words(event)).a = at;
  switch (event.kind) {
    case OutsideEvent::Kind::signal: return env_.signals.receive(*find_signal(event.signal), at);
    case OutsideEvent::Kind::connect: return connect_client(event);
    default: return client_acts(event);
  }
}

// A client is the kernel's end of a connection, without a socket of this process. Its refusal is not reported.
void Outside::connect_client(const OutsideEvent& event) {
  const std::uint32_t client = heap_.nets.make();
  heap_.nets[client].port = event.port;
  const bool is_connected = env_.servers.meet(client);
  if (!is_connected) heap_.nets.free(client);
  if (clients_.size() <= event.client) clients_.resize(event.client + 1, kNone);
  clients_[event.client] = is_connected ? client : kNone;
}

void Outside::client_acts(const OutsideEvent& event) {
  const std::uint32_t client = event.client < clients_.size() ? clients_[event.client] : kNone;
  if (client == kNone) return;
  Connection& connection = heap_.nets[client].connection;
  connection.received.clear();  // the client reads all data
  switch (event.kind) {
    case OutsideEvent::Kind::write: env_.connections.send(client, event.data); break;
    case OutsideEvent::Kind::end:
      if (connection.is_reset || std::exchange(connection.sent_end, true)) break;
      if (heap_.nets[client].peer != kNone) env_.connections.deliver_end(heap_.nets[client].peer);
      break;
    default:
      env_.connections.close(client);
      heap_.nets.free(client);
      clients_[event.client] = kNone;
  }
}

}  // namespace loopsim::node
