// The run of a program of the runtime `io`: its processes one after the other, each on a machine of its own with the same arrivals,
// and one trace of all of them, in order of time.
#pragma once

#include <cstdint>
#include <span>

#include "loopsim/simulator.hpp"

namespace loopsim::io {

RunSummary run(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks);

}  // namespace loopsim::io
