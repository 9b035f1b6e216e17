// A process before its start: the version of Node, the machine, and the outside events.
#pragma once

#include <cstdint>
#include <span>

#include "loopsim/profile.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {
class SharedCores;
}

namespace loopsim::node {

// The creator owns what it refers to, for as long as the process lives.
struct Setup {
  const Profile& profile;
  const MachineSpec& machine;
  const Limits& limits;
  std::span<const OutsideEvent> inputs;
  EntryPoint entry = EntryPoint::commonjs;
  std::uint32_t threadpool = 4;  // UV_THREADPOOL_SIZE
  TimeMs delay_resolution = 0;   // of monitorEventLoopDelay(), in ms; 0: not measured
  std::uint32_t main_label = kNoName;
  bool main_is_async = false;  // the body of the main module awaits
  std::uint64_t seed = 0;
  SharedCores* cores = nullptr;  // set when other loops compute on them too
};

}  // namespace loopsim::node
