#include "sim/trace/event_table.hpp"

namespace loopsim {

std::span<const EventInfo> event_table() { return events::kEvents; }

std::string_view to_string(EventKind kind) { return events::kEvents[static_cast<std::size_t>(kind)].name; }
std::string_view to_string(Phase phase) { return events::kPhases[static_cast<std::size_t>(phase)]; }
std::string_view to_string(Api api) { return events::kApis[static_cast<std::size_t>(api)]; }
std::string_view to_string(LimitKind kind) { return events::kLimitKinds[static_cast<std::size_t>(kind)]; }
std::string_view to_string(ExitReason reason) { return events::kExitReasons[static_cast<std::size_t>(reason)]; }

}  // namespace loopsim
