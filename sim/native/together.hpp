// Several processes on one machine: each has its own loop, all compute on the same cores, and one trace tells of all of them.
//
// No user sees more than one loop yet: this is for what comes next (worker threads, clusters), and for its tests.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "loopsim/process.hpp"

namespace loopsim {

struct Together {
  // Takes the place of Process::run(). Each process has the number of its place in the list; its own machine is not asked for.
  struct Member {
    Process* process = nullptr;
    Process::Function main;
  };
  // The ends of the processes, in the same order. Throws as Process::run() does.
  static std::vector<RunSummary> run(const MachineSpec& machine, std::span<const Member> members,
                                     std::span<TraceSink* const> sinks = {});
};

}  // namespace loopsim
