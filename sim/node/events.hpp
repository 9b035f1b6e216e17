// Emitters: listeners by event, in order of registration; and the events of `process` (lib/events.js).
//
// An event's name is the program's number for it (Engine::event_name).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/node/context.hpp"

namespace loopsim::node {

class Events : public Part {
 public:
  explicit Events(const Context& context);

  [[nodiscard]] std::uint32_t process_emitter() const { return process_emitter_; }
  EmitterObject::Event* find(std::uint32_t emitter, std::uint32_t name);  // null: it never had a listener
  // Takes over the references of the listener.
  void add(std::uint32_t emitter, std::uint32_t name, const Listener& listener);
  // The most recently added one, as removeListener does.
  void remove(std::uint32_t emitter, std::uint32_t name, std::uint32_t function);
  // The current listeners, each with a reference of its own to release after its call. Each `once` listener is removed
  // as it is called.
  std::vector<Listener> listeners_of(std::uint32_t emitter, std::uint32_t name);
  void take_off_once(std::uint32_t emitter, std::uint32_t name, const Listener& listener);
  [[nodiscard]] bool process_has(std::string_view event);
  // Call the current listeners. An 'error' without listeners is not thrown here. Flow::threw: the engine holds the
  // exception, and the later listeners were not called. `had_listeners`: told whether there were any.
  Flow emit(std::uint32_t emitter, std::string_view event, std::span<const Value> arguments, TimeNs due = -1,
            bool* had_listeners = nullptr);
  Flow emit_process(std::string_view event, std::span<const Value> arguments, TimeNs due = -1,
                    bool* had_listeners = nullptr);

 private:
  std::uint32_t process_emitter_;
};

}  // namespace loopsim::node
