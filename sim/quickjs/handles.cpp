// What a program holds of Node's: timers, immediates, sockets, ports, monitors, requests, child processes. Each is a host
// object. Its number is the host's alone, and is looked at in each call: for its kind, and for whether that which it stands for lives.
// No number that JavaScript hands over is an index here.
#include <utility>

#include "loopsim/assert.hpp"

#include "sim/node/environment.hpp"
#include "sim/quickjs/engine.hpp"

namespace loopsim::quickjs {

namespace {

// The number of a host object: an index, and of which kind it is.
constexpr std::uint32_t kKindBits = 3, kKindMask = (1U << kKindBits) - 1;
std::uint32_t kind_of(std::uint32_t number) { return number & kKindMask; }
std::uint32_t index_of(std::uint32_t number) { return number >> kKindBits; }

}  // namespace

Js Engine::make_handle(HandleKind kind, std::uint32_t index, Js prototype) {
  return js_->make_host_object(index << kKindBits | kind, prototype);
}

std::uint32_t Engine::checked(Js handle, HandleKind kind) {
  std::uint32_t number = 0;
  if (!js_->host_object(handle, number) || kind_of(number) != kind) return kNone;
  const std::uint32_t index = index_of(number);
  switch (kind) {
    case kTimer:
      LOOPSIM_ASSERT(heap_.timers.is_alive(index));  // by the handle's reference
      return index < heap_.timers.size() ? index : kNone;
    case kImmediate:
      LOOPSIM_ASSERT(heap_.immediates.is_alive(index));
      return index < heap_.immediates.size() ? index : kNone;
    case kSocket:
      LOOPSIM_ASSERT(index < crossings_.size());
      LOOPSIM_ASSERT(crossings_[index].index == kNone ||
                     heap_.nets.is_alive(crossings_[index].index));  // handle_gone()
      [[fallthrough]];
    default: return index < crossings_.size() ? crossings_[index].index : kNone;
  }
}

Engine::Crossing* Engine::crossing_of(Js handle, HandleKind kind) {
  if (checked(handle, kind) == kNone) return nullptr;
  std::uint32_t number = 0;
  js_->host_object(handle, number);
  return &crossings_[index_of(number)];
}

Owned Engine::refuse() { return js_->throw_error("TypeError", "Illegal invocation"); }

// ---- crossings ------------------------------------------------------------------------------------------------------------

// Its object, which this has a reference to, is one of the library's: a program sees none.
std::uint32_t Engine::begin_crossing(HandleKind kind, std::uint32_t index) {
  if (free_crossings_.empty()) {
    free_crossings_.push_back(static_cast<std::uint32_t>(crossings_.size()));
    crossings_.emplace_back();
  }
  const std::uint32_t number = free_crossings_.back();
  free_crossings_.pop_back();
  LOOPSIM_ASSERT(crossings_[number].index == kNone && crossings_[number].object == kUndefined);  // not another one's
  crossings_[number] = {.index = index, .object = make_handle(kind, number, kNull)};
  return number;
}

void Engine::let_go_of(std::uint32_t number) { js_->free(std::exchange(crossings_[number].object, kUndefined)); }

// The number itself is used again once nobody has the object (collected()).
void Engine::end_crossing(std::uint32_t number) {
  LOOPSIM_ASSERT(number < crossings_.size() && crossings_[number].index != kNone);
  crossings_[number].index = kNone;
  let_go_of(number);
}

void Engine::collected(std::uint32_t number) {
  const std::uint32_t index = index_of(number);
  switch (kind_of(number)) {
    case kTimer: return node_->timers.drop(index);
    case kImmediate: return node_->immediates.drop(index);
    default: break;
  }
  LOOPSIM_ASSERT(index < crossings_.size() && crossings_[index].object == kUndefined);
  // Nothing of Node's may know the number any more, which is another one's soon.
  const std::uint32_t of = std::exchange(crossings_[index], {}).index;
  if (of != kNone && kind_of(number) == kRequest) bound(of).crossing = kNone;
  if (of != kNone && kind_of(number) == kPort) ports_[of] = kNone;
  // Node's own reference keeps their objects.
  LOOPSIM_ASSERT(of == kNone || (kind_of(number) != kSocket && kind_of(number) != kChild));
  free_crossings_.push_back(index);
}

Js Engine::socket_object(std::uint32_t net) const {
  if (net >= sockets_.size() || sockets_[net] == kNone) return kUndefined;
  LOOPSIM_ASSERT(crossings_[sockets_[net]].index == net);
  return crossings_[sockets_[net]].object;
}

// Of one that is not closed.
Js Engine::port_object(std::uint32_t port) const {
  LOOPSIM_ASSERT(port < ports_.size() && ports_[port] != kNone && crossings_[ports_[port]].index == port);
  return crossings_[ports_[port]].object;
}

// The handle's memory may be another one's from here on.
void Engine::handle_gone(std::uint32_t handle) {
  if (handle >= sockets_.size() || sockets_[handle] == kNone) return;
  end_crossing(std::exchange(sockets_[handle], kNone));
}

// ---- emitters ---------------------------------------------------------------------------------------------------------------

// Of Node's own a program sees the process alone; those of all other objects are the library's.

std::uint32_t Engine::emitter_of(Js object) const {
  if (is_object(object) && process_ != kUndefined && pointer_of(object) == pointer_of(process_))
    return node_->events.process_emitter();
  return kNone;
}

Js Engine::object_of(std::uint32_t emitter) const {
  LOOPSIM_ASSERT(emitter == node_->events.process_emitter());
  static_cast<void>(emitter);
  return process_;
}

}  // namespace loopsim::quickjs
