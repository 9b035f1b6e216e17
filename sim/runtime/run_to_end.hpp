// The run of a process to its end, whatever the runtime and the language: also when the memory ends.
#pragma once

#include <new>

#include "loopsim/simulator.hpp"

#include "sim/runtime/stopped.hpp"
#include "sim/trace/tracer.hpp"

namespace loopsim::runtime {

// Runs the process, and ends its trace. Throws OutOfMemory, after the trace's end, when the memory is gone; a sink's own
// failure passes through.
#if defined(__cpp_exceptions)

template <typename Environment>
RunSummary run_to_end(Environment& environment, Tracer& tracer) {
  try {
    RunSummary summary = environment.run();
    tracer.end(summary);
    return summary;
  } catch (const Stopped&) {
    if constexpr (requires { environment.end_when_stopped(); }) {
      RunSummary summary = environment.end_when_stopped();
      tracer.end(summary);
      return summary;
    } else {
      throw;
    }
  } catch (const std::bad_alloc&) {
    if (tracer.sink_failed()) throw;
    RunSummary summary = environment.end_without_memory();
    tracer.end(summary);
    throw OutOfMemory(summary);
  }
}

#else  // operator new returns, or the function of std::set_new_handler() ends the program

template <typename Environment>
RunSummary run_to_end(Environment& environment, Tracer& tracer) {
  RunSummary summary = environment.run();
  tracer.end(summary);
  return summary;
}

#endif

}  // namespace loopsim::runtime
