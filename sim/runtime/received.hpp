// What a socket has got, for the trace.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/trace/tracer.hpp"

namespace loopsim::runtime {

// The event of bytes that are read from the socket of this name, with the first forty of them in whole characters; none: the end.
void trace_received(Tracer& tracer, std::uint32_t name, std::string_view bytes);

}  // namespace loopsim::runtime
