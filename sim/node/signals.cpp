#include "sim/node/signals.hpp"

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
constexpr int kSignalBase = 128;  // added by shells for an end by a signal
}  // namespace

void Signals::receive(const SignalInfo& signal, TimeNs at) {
  if (env_.events.process_has(signal.name)) {
    loop_.raise({signal.number, watchers_[signal.number], at});
  } else if (signal.ends_process) {
    end_by(signal);
  }
}

void Signals::end_by(const SignalInfo& signal) {
  env_.ending.end_process(ExitReason::signal, kSignalBase + signal.number);
}

void Signals::on_signal(const uv::Signal& message) {
  if (message.number == uv::kSigChld) return env_.children.reap();
  if (message.watcher != watchers_[message.number]) return;  // its watcher was closed meanwhile
  const SignalInfo& signal = *find_signal(message.number);
  const Value name = heap_.make_string(std::string(signal.name));
  const Value arguments[] = {name, Value::of_number(signal.number)};
  const std::size_t given = profile_.signal_gives_its_name ? 2 : 0;
  const Flow flow = env_.events.emit_process(signal.name, std::span(arguments, given), message.at);
  heap_.release(name);
  if (flow == Flow::threw)
    env_.exit.handle_uncaught(false);
  else if (flow == Flow::normal)
    env_.task_queue.close_scope();
}

// A signal's watcher closes with its last listener; messages for it in the pipe are dropped.
void Signals::listener_removed(std::uint32_t emitter, std::uint32_t name) {
  if (emitter != env_.events.process_emitter()) return;
  const SignalInfo* signal = find_signal(engine_.name_of_event(name));
  if (signal == nullptr || env_.events.process_has(signal->name)) return;
  ++watchers_[signal->number];
  loop_.close_silently();
}

// The first arrival of a signal that ends the process: its listeners cannot change while it computes.
TimeNs Signals::death() {
  TimeNs first = kNever;
  if (setup_.inputs.empty()) return first;
  for (const FutureEvent& event : machine_.future()) {
    if (event.kind != FutureEvent::Kind::outside || event.time >= first) continue;
    const OutsideEvent& input = setup_.inputs[event.data];
    if (input.kind != OutsideEvent::Kind::signal) continue;
    const SignalInfo& signal = *find_signal(input.signal);
    if (signal.ends_process && !env_.events.process_has(signal.name)) first = event.time;
  }
  return first;
}

}  // namespace loopsim::node
