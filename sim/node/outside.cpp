// Signals (lib/internal/process/signal.js, src/signal_wrap.cc; libuv src/unix/signal.c), and what else happens outside.
//
// A signal with a listener is written into the loop's pipe at the moment of its arrival, also while JavaScript runs, and told in
// poll, after everything else that was ready. Without a listener it ends the process there and then, or does nothing.
#include <algorithm>
#include <string>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
constexpr int kSignalBase = 128;  // as a shell reports the end by a signal

// For the trace.
std::string input_words(const OutsideEvent& event) {
  switch (event.kind) {
    case OutsideEvent::Kind::signal: return std::string(find_signal(event.signal)->name);
    case OutsideEvent::Kind::connect:
      return (event.client_name.empty() ? "a client" : event.client_name) + " connects to port " +
             std::to_string(event.port);
    case OutsideEvent::Kind::write: return event.client_name + " sends \"" + event.data + "\"";
    case OutsideEvent::Kind::end: return event.client_name + " has sent all";
    case OutsideEvent::Kind::destroy: return event.client_name + " closes its connection";
  }
  return {};
}
}  // namespace

void Environment::schedule_inputs(std::uint64_t seed) {
  sources_.resize(inputs_.size());
  for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].arrivals)
      begin_arrivals(i, seed);
    else
      machine_.schedule({inputs_[i].at, submissions_++, FutureEvent::Kind::outside, i});
  }
}

void Environment::on_outside(void* self, const FutureEvent& event) {
  Environment& environment = *static_cast<Environment*>(self);
  if (event.kind == FutureEvent::Kind::answered) return environment.client_is_answered(event.data, event.time);
  if (event.kind == FutureEvent::Kind::outside) {
    const OutsideEvent& input = environment.inputs_[event.data];
    return input.arrivals ? environment.arrive(event.data, event.time) : environment.happen(input, event.time);
  }
  const ChildObject& child = environment.heap_.children[event.data];
  environment.end_child(event.data, event.time, child.code, 0);
  environment.heap_.release(Value::object(Tag::emitter, child.emitter));
}

void Environment::happen(const OutsideEvent& event, TimeNs at) {
  if (over_) return;
  if (tracer_.on()) tracer_.add_text(EventKind::input, input_words(event)).a = at;
  switch (event.kind) {
    case OutsideEvent::Kind::signal: return receive_signal(*find_signal(event.signal), at);
    case OutsideEvent::Kind::connect: return connect_client(event);
    default: return client_acts(event);
  }
}

// A client is the kernel's end of a connection, without a socket of this process. Nobody is told when it is refused.
void Environment::connect_client(const OutsideEvent& event) {
  const std::uint32_t client = heap_.nets.make();
  heap_.nets[client].port = event.port;
  const bool is_connected = meet_server(client);
  if (!is_connected) heap_.nets.free(client);
  if (clients_.size() <= event.client) clients_.resize(event.client + 1, kNone);
  clients_[event.client] = is_connected ? client : kNone;
}

void Environment::client_acts(const OutsideEvent& event) {
  const std::uint32_t client = event.client < clients_.size() ? clients_[event.client] : kNone;
  if (client == kNone) return;
  Connection& connection = heap_.nets[client].connection;
  connection.received.clear();  // it reads all that has come
  switch (event.kind) {
    case OutsideEvent::Kind::write: send_bytes(client, event.data); break;
    case OutsideEvent::Kind::end:
      if (connection.is_reset || std::exchange(connection.sent_end, true)) break;
      if (heap_.nets[client].peer != kNone) deliver_end(heap_.nets[client].peer);
      break;
    default:
      close_connection(client);
      heap_.nets.free(client);
      clients_[event.client] = kNone;
  }
}

void Environment::receive_signal(const SignalInfo& signal, TimeNs at) {
  if (process_has(signal.name)) {
    loop_.raise({signal.number, signal_watchers_[signal.number], at});
  } else if (signal.ends_process) {
    end_process(ExitReason::signal, kSignalBase + signal.number);
  }
}

void Environment::on_signal(void* self, const uv::Signal& message) {
  Environment& environment = *static_cast<Environment*>(self);
  if (message.number == uv::kSigChld) return environment.reap_children();
  if (message.watcher != environment.signal_watchers_[message.number]) return;  // its watcher was closed meanwhile
  const SignalInfo& signal = *find_signal(message.number);
  const Value name = environment.heap_.make_string(std::string(signal.name));
  const Value arguments[] = {name, Value::of_number(signal.number)};
  const std::size_t given = environment.profile_.signal_gives_its_name ? 2 : 0;
  bool had_listeners = false;
  const Flow flow = environment.emit_process(signal.name, std::span(arguments, given), had_listeners, message.at);
  environment.heap_.release(name);
  if (flow == Flow::threw)
    environment.handle_uncaught(false);
  else if (flow == Flow::normal)
    environment.close_scope();
}

// With the last listener of a signal its watcher goes; what is still in the pipe for it is dropped.
void Environment::listener_removed(std::uint32_t emitter, std::uint32_t name) {
  if (emitter != process_emitter_) return;
  const SignalInfo* signal = find_signal(engine_.name_of_event(name));
  if (signal == nullptr || process_has(signal->name)) return;
  ++signal_watchers_[signal->number];
  loop_.close_silently();
}

void Environment::compute(TimeNs amount) { machine_.cpu(amount, death()); }
void Environment::spin_until(TimeNs time) { machine_.spin_until(time, death()); }

void Environment::pay(Cost cost) {
  const TimeNs amount = machine_.draw_cost(cost);
  if (amount == 0 || stopping()) return;
  const TimeNs from = machine_.now();
  compute(amount);
  loop_.notice_time();
  if (tracer_.on()) note_busy(from, 0, LateReason::overhead);
}

// The first arrival of a signal that ends the process: its listeners cannot change while it computes.
TimeNs Environment::death() {
  TimeNs first = kNever;
  if (inputs_.empty()) return first;
  for (const FutureEvent& event : machine_.future()) {
    if (event.kind != FutureEvent::Kind::outside || event.time >= first) continue;
    const OutsideEvent& input = inputs_[event.data];
    if (input.kind != OutsideEvent::Kind::signal) continue;
    const SignalInfo& signal = *find_signal(input.signal);
    if (signal.ends_process && !process_has(signal.name)) first = event.time;
  }
  return first;
}

}  // namespace loopsim::node
