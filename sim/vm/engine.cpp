// The engine's construction, exceptions and event names.
#include "sim/vm/engine.hpp"

#include <algorithm>

#include "sim/node/environment.hpp"

namespace loopsim::vm {

Engine::Engine(const Program& program, std::uint64_t seed, Tracer& tracer)
    : node::Engine(program.limits.steps),
      program_(program),
      profile_(*program.profile),
      tracer_(tracer),
      random_(seed, program.streams),
      globals_(program.globals),
      marks_(program.marks, kNever) {
  places_.reserve(program.sites.size());
  for (const Site& site : program.sites)
    places_.push_back({site.label, site.position.line, site.position.column, site.api, site.leaf});
}

void Engine::connect(node::Environment& node, TimeMs start_clock) {
  node_ = &node;
  callbacks_ = &node.callbacks;
  thread_ = &node.thread;
  ending_ = &node.ending;
  machine_ = &node.machine();
  start_clock_ = start_clock;
}

std::string_view Engine::name_of_event(std::uint32_t name) const { return program_.strings[name]; }

Flow Engine::throw_value(const Value& value) {
  heap_.assign(exception_, value);
  charge_text(value);
  if (tracer_.on()) trace_position(tracer_.add_text(EventKind::throw_, to_text(value)));
  return Flow::threw;
}

// The step that is being executed. Between callbacks there is none.
void Engine::trace_position(Event& event) const {
  if (frames_.empty()) return;
  const StepPosition& position = program_.positions[frames_.back().pc];
  event.line = position.line;
  event.column = position.column;
}

void Engine::trace_caught(CatchKind by) {
  if (!tracer_.on()) return;
  tracer_.add_text(EventKind::caught, to_text(exception_)).detail = static_cast<std::uint8_t>(by);
}

// The program's number for an event's name; kNone when the program never mentions it.
std::uint32_t Engine::event_name(std::string_view event) {
  if (const auto known = event_names_.find(event); known != event_names_.end()) return known->second;
  const auto found = std::find(program_.strings.begin(), program_.strings.end(), event);
  const std::uint32_t name =
      found == program_.strings.end() ? kNone : static_cast<std::uint32_t>(found - program_.strings.begin());
  event_names_.emplace(event, name);
  return name;
}

}  // namespace loopsim::vm
