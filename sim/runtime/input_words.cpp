#include "sim/runtime/input_words.hpp"

#include <fmt/format.h>

#include "loopsim/verbs.hpp"

namespace loopsim::runtime {

std::string input_words(const OutsideEvent& event) {
  switch (event.kind) {
    case OutsideEvent::Kind::signal: return std::string(find_signal(event.signal)->name);
    case OutsideEvent::Kind::connect:
      return fmt::format("{} connects to port {}", event.client_name.empty() ? "a client" : event.client_name,
                         event.port);
    case OutsideEvent::Kind::write: return fmt::format("{} sends \"{}\"", event.client_name, event.data);
    case OutsideEvent::Kind::end: return fmt::format("{} has sent all", event.client_name);
    case OutsideEvent::Kind::destroy: return fmt::format("{} closes its connection", event.client_name);
    case OutsideEvent::Kind::user: break;  // of a browser
  }
  return {};
}

}  // namespace loopsim::runtime
