#include "sim/node/arrivals.hpp"

#include <algorithm>
#include <string>

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
// The sum; kNever when it is later than any time.
TimeNs later(TimeNs than, TimeNs by) { return by > kNever - than ? kNever : than + by; }

std::string client_words(const OutsideEvent& input, std::uint64_t number) {
  return (input.client_name.empty() ? "client" : input.client_name) + " " + std::to_string(number);
}
}  // namespace

void OutsideArrivals::begin(std::uint32_t index, std::uint64_t seed) {
  const Arrivals& arrivals = *setup_.inputs[index].arrivals;
  Source& source = sources_[index];
  source.gap = Sampler(arrivals.gap, seed, MachineStream::arrivals, index);
  source.on = Sampler(arrivals.on, seed, MachineStream::on_off, 2 * index);
  source.off = Sampler(arrivals.off, seed, MachineStream::on_off, 2 * index + 1);
  source.on_until = arrivals.from;
  const std::uint32_t together = arrivals.kind == Arrivals::Kind::closed ? arrivals.clients : 1;
  for (std::uint32_t i = 0; i < together; ++i) next(index, arrivals.from);
}

// Queues the arrival that follows the one at `after`, or its answer; nothing when there is none.
void OutsideArrivals::next(std::uint32_t index, TimeNs after) {
  const Arrivals& arrivals = *setup_.inputs[index].arrivals;
  Source& source = sources_[index];
  TimeNs at = after;
  if (arrivals.kind == Arrivals::Kind::list) {
    if (source.position == arrivals.times.size()) return;
    at = arrivals.times[source.position++];
  } else {
    const TimeNs gap = source.gap.draw();
    at = arrivals.has_bursts ? add_on_time(source, after, gap) : later(after, gap);
  }
  if (at >= arrivals.until || (arrivals.count != 0 && source.begun == arrivals.count)) return;
  ++source.begun;
  machine_.schedule({at, machine_.next_order(), FutureEvent::Kind::outside, index});
}

// `time` later, counting only the time in which the source is on.
TimeNs OutsideArrivals::add_on_time(Source& source, TimeNs after, TimeNs time) {
  while (later(after, time) > source.on_until) {
    time -= std::max<TimeNs>(source.on_until - after, 0);
    after = later(std::max(after, source.on_until), source.off.draw());
    source.on_until = later(after, std::max<TimeNs>(source.on.draw(), 1));
    if (!engine_.count_step()) {
      env_.ending.halt_for_steps();
      return kNever;
    }
  }
  return later(after, time);
}

void OutsideArrivals::arrive(std::uint32_t index, TimeNs at) {
  if (env_.ending.is_over()) return;
  if (!engine_.count_step())  // arrivals may have no time between them
    return env_.ending.halt_for_steps();
  const OutsideEvent& input = setup_.inputs[index];
  if (input.arrivals->kind != Arrivals::Kind::closed) next(index, at);
  if (input.kind == OutsideEvent::Kind::signal) return env_.outside.happen(input, at);

  const std::uint32_t client = clients_.make();
  clients_[client] = {index, heap_.nets.make(), ++sources_[index].clients, at, AnswerKind::end, false};
  const std::uint32_t net = clients_[client].net;
  heap_.nets[net].port = input.port;
  heap_.nets[net].client = client;
  if (tracer_.on()) {
    const std::string words =
        client_words(input, clients_[client].number) + " connects to port " + std::to_string(input.port);
    tracer_.add_text(EventKind::input, words).a = at;
  }
  if (!env_.servers.meet(net)) return client_hears(net, AnswerKind::refused);
  if (!input.data.empty()) env_.connections.send(net, input.data);
  if (!input.ends) return;
  heap_.nets[net].connection.sent_end = true;
  env_.connections.deliver_end(heap_.nets[net].peer);
}

// It reacts as soon as it can, by a separate event, because it is another process.
void OutsideArrivals::client_hears(std::uint32_t net, AnswerKind how) {
  Client& client = clients_[heap_.nets[net].client];
  if (client.is_answered) return;
  client.is_answered = true;
  client.how = how;
  machine_.schedule({loop_.moment(), machine_.next_order(), FutureEvent::Kind::answered, heap_.nets[net].client});
}

void OutsideArrivals::client_is_answered(std::uint32_t index, TimeNs at) {
  if (env_.ending.is_over()) return;
  const Client client = clients_[index];
  const OutsideEvent& input = setup_.inputs[client.input];
  if (tracer_.on()) {
    Event& event = tracer_.add_text(EventKind::answer, client_words(input, client.number));
    event.detail = static_cast<std::uint8_t>(client.how);
    event.a = at;
    event.b = at - client.asked_at;
  }
  heap_.nets[client.net].connection.received.clear();
  heap_.nets[client.net].client = kNone;
  env_.connections.close(client.net);
  heap_.nets.free(client.net);
  clients_.free(index);
  if (input.arrivals->kind == Arrivals::Kind::closed) next(client.input, at);
}

}  // namespace loopsim::node
