#include "sim/node/events.hpp"

#include <algorithm>

#include "sim/node/environment.hpp"

namespace loopsim::node {

Events::Events(const Context& context) : Part(context), process_emitter_(heap_.emitters.make()) {
  heap_.emitters[process_emitter_].refs = 1;
}

EmitterObject::Event* Events::find(std::uint32_t emitter, std::uint32_t name) {
  std::vector<EmitterObject::Event>& events = heap_.emitters[emitter].events;
  engine_.charge_entries(events.size());
  for (EmitterObject::Event& event : events) {
    if (event.name == name) return &event;
  }
  return nullptr;
}

void Events::add(std::uint32_t emitter, std::uint32_t name, const Listener& listener) {
  EmitterObject::Event* event = find(emitter, name);
  if (event == nullptr) event = &heap_.emitters[emitter].events.emplace_back(EmitterObject::Event{name, {}});
  event->listeners.push_back(listener);
}

// The most recently added one, as removeListener does.
void Events::remove(std::uint32_t emitter, std::uint32_t name, std::uint32_t function) {
  EmitterObject::Event* event = find(emitter, name);
  if (event == nullptr) return;
  engine_.charge_entries(event->listeners.size());
  for (auto listener = event->listeners.rbegin(); listener != event->listeners.rend(); ++listener) {
    if (listener->function != function) continue;
    const Callback callback = listener->callback;
    event->listeners.erase(std::next(listener).base());
    heap_.release(callback);
    env_.signals.listener_removed(emitter, name);
    return;
  }
}

// Each has a reference of its own, to release after its call.
std::vector<Listener> Events::listeners_of(std::uint32_t emitter, std::uint32_t name) {
  EmitterObject::Event* event = find(emitter, name);
  if (event == nullptr) return {};
  engine_.charge_entries(event->listeners.size());
  for (const Listener& listener : event->listeners) heap_.retain(listener.callback);
  return event->listeners;
}

void Events::take_off_once(std::uint32_t emitter, std::uint32_t name, const Listener& listener) {
  if (!listener.once) return;
  EmitterObject::Event* event = find(emitter, name);
  if (event == nullptr) return;
  engine_.charge_entries(event->listeners.size());
  auto found = std::find_if(event->listeners.begin(), event->listeners.end(), [&](const Listener& other) {
    return other.callback.id == listener.callback.id && other.native_id == listener.native_id;
  });
  if (found == event->listeners.end()) return;
  const Callback callback = found->callback;
  event->listeners.erase(found);
  heap_.release(callback);
  env_.signals.listener_removed(emitter, name);
}

bool Events::process_has(std::string_view event) {
  if (engine_.owns_process()) return engine_.process_has(event);
  const std::uint32_t name = engine_.event_name(event);
  if (name == kNone) return false;
  const EmitterObject::Event* found = find(process_emitter_, name);
  return found != nullptr && !found->listeners.empty();
}

Flow Events::emit_process(std::string_view event, std::span<const Value> arguments, TimeNs due, bool* had_listeners) {
  if (engine_.owns_process()) return engine_.emit_process(event, arguments, due, had_listeners);
  return emit(process_emitter_, event, arguments, due, had_listeners);
}

Flow Events::emit(std::uint32_t emitter, std::string_view event, std::span<const Value> arguments, TimeNs due,
                  bool* had_listeners) {
  const std::uint32_t name = engine_.event_name(event);
  if (name == kNone) return Flow::normal;
  std::vector<Listener> listeners = listeners_of(emitter, name);
  if (had_listeners != nullptr) *had_listeners = !listeners.empty();
  Flow flow = Flow::normal;
  for (const Listener& listener : listeners) {
    if (flow == Flow::normal) {
      take_off_once(emitter, name, listener);
      Callback callback = listener.callback;
      callback.id = env_.callbacks.next_id();
      flow = env_.callbacks.run(callback, arguments, due, nullptr, event);
    }
    heap_.release(listener.callback);
  }
  return flow;
}

}  // namespace loopsim::node
