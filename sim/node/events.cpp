// Emitters: listeners by event, in order of registration; and the events of `process` (lib/events.js).
#include <algorithm>

#include "sim/node/environment.hpp"

namespace loopsim::node {

EmitterObject::Event* Environment::find_event(std::uint32_t emitter, std::uint32_t name) {
  std::vector<EmitterObject::Event>& events = heap_.emitters[emitter].events;
  engine_.charge_entries(events.size());
  for (EmitterObject::Event& event : events) {
    if (event.name == name) return &event;
  }
  return nullptr;
}

void Environment::add_listener(std::uint32_t emitter, std::uint32_t name, const Listener& listener) {
  EmitterObject::Event* event = find_event(emitter, name);
  if (event == nullptr) event = &heap_.emitters[emitter].events.emplace_back(EmitterObject::Event{name, {}});
  event->listeners.push_back(listener);
}

// The most recently added one, as removeListener does.
void Environment::remove_listener(std::uint32_t emitter, std::uint32_t name, std::uint32_t function) {
  EmitterObject::Event* event = find_event(emitter, name);
  if (event == nullptr) return;
  engine_.charge_entries(event->listeners.size());
  for (auto listener = event->listeners.rbegin(); listener != event->listeners.rend(); ++listener) {
    if (listener->function != function) continue;
    const Callback callback = listener->callback;
    event->listeners.erase(std::next(listener).base());
    heap_.release(callback);
    listener_removed(emitter, name);
    return;
  }
}

// Each holds a reference of its own, to be released after it was called.
std::vector<Listener> Environment::listeners_of(std::uint32_t emitter, std::uint32_t name) {
  EmitterObject::Event* event = find_event(emitter, name);
  if (event == nullptr) return {};
  engine_.charge_entries(event->listeners.size());
  for (const Listener& listener : event->listeners) heap_.retain(listener.callback);
  return event->listeners;
}

void Environment::take_off_once(std::uint32_t emitter, std::uint32_t name, const Listener& listener) {
  if (!listener.once) return;
  EmitterObject::Event* event = find_event(emitter, name);
  if (event == nullptr) return;
  engine_.charge_entries(event->listeners.size());
  auto found = std::find_if(event->listeners.begin(), event->listeners.end(), [&](const Listener& other) {
    return other.callback.id == listener.callback.id && other.native_id == listener.native_id;
  });
  if (found == event->listeners.end()) return;
  const Callback callback = found->callback;
  event->listeners.erase(found);
  heap_.release(callback);
  listener_removed(emitter, name);
}

bool Environment::process_has(std::string_view event) {
  const std::uint32_t name = engine_.event_name(event);
  if (name == kNone) return false;
  const EmitterObject::Event* found = find_event(process_emitter_, name);
  return found != nullptr && !found->listeners.empty();
}

Flow Environment::emit_process(std::string_view event, std::span<const Value> arguments, bool& had_listeners,
                               TimeNs due) {
  return emit_native(process_emitter_, event, arguments, had_listeners, due);
}

Flow Environment::emit_native(std::uint32_t emitter, std::string_view event, std::span<const Value> arguments,
                              bool& had_listeners, TimeNs due) {
  had_listeners = false;
  const std::uint32_t name = engine_.event_name(event);
  if (name == kNone) return Flow::normal;
  std::vector<Listener> listeners = listeners_of(emitter, name);
  had_listeners = !listeners.empty();
  Flow flow = Flow::normal;
  for (const Listener& listener : listeners) {
    if (flow == Flow::normal) {
      take_off_once(emitter, name, listener);
      Callback callback = listener.callback;
      callback.id = next_id();
      flow = run_callback(callback, arguments, due, nullptr, event);
    }
    heap_.release(listener.callback);
  }
  return flow;
}

}  // namespace loopsim::node
