// What every part of a runtime has at hand: the machine, the engine that runs the program's functions, the limits, the trace.
#pragma once

#include "loopsim/scenario.hpp"

#include "sim/machine/machine.hpp"
#include "sim/runtime/engine.hpp"
#include "sim/trace/tracer.hpp"

namespace loopsim::runtime {

// Owned by the runtime's environment, which makes it before any part and outlives all of them.
struct Context {
  const Limits& limits;
  Engine& engine;
  Tracer& tracer;
  Position& position;
  Machine& machine;
};

}  // namespace loopsim::runtime
