// The run of a program that is the script of a page.
#pragma once

#include <cstdint>
#include <span>

#include "loopsim/simulator.hpp"

namespace loopsim::quickjs {

// On the stack of a world.
RunSummary run_page(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks);

}  // namespace loopsim::quickjs
