#include "sim/runtime/received.hpp"

#include <algorithm>

namespace loopsim::runtime {

void trace_received(Tracer& tracer, std::uint32_t name, std::string_view bytes) {
  constexpr std::size_t kShown = 40;
  if (!tracer.on()) return;
  std::size_t shown = std::min(bytes.size(), kShown);
  while (shown > 0 && shown < bytes.size() && (static_cast<unsigned char>(bytes[shown]) & 0xc0U) == 0x80U) --shown;
  Event& event = tracer.add_text(EventKind::receive, bytes.substr(0, shown));
  event.name = name;
  event.a = static_cast<std::int64_t>(bytes.size());
}

}  // namespace loopsim::runtime
