// Several processes on one machine: each has its own loop, and they share the cores and one trace.
//
// Not public yet: the base for worker threads and clusters, and for its tests.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "loopsim/process.hpp"

namespace loopsim {

struct Together {
  // Replaces Process::run(). A process is numbered by its index in the list; its own machine is ignored.
  struct Member {
    Process* process = nullptr;
    Process::Function main;
  };
  // The summaries of the processes, in the same order. Throws like Process::run(), but not OutOfMemory.
  static std::vector<RunSummary> run(const MachineSpec& machine, std::span<const Member> members,
                                     std::span<TraceSink* const> sinks = {});
};

}  // namespace loopsim
