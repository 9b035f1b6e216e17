// The outcome of a piece of the program.
#pragma once

#include <cstdint>

namespace loopsim::runtime {

enum class Flow : std::uint8_t {
  normal,
  threw,  // the engine holds the exception
  stop,   // the process is over (exit, a fatal exception, a limit): unwind everything
};

}  // namespace loopsim::runtime
