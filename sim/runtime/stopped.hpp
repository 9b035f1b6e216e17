// Thrown when a limit has ended the run, and a function of the language's engine that cannot be asked to return is still at work. The run
// is over: what the exception passes is not used any more.
#pragma once

#include <exception>

namespace loopsim::runtime {

struct Stopped : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "the run has reached a limit"; }
};

}  // namespace loopsim::runtime
