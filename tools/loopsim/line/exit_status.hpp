// Exit status of the program. Documented in docs/command-line.md.
#pragma once

namespace loopsim::cli {

enum class ExitStatus : int {
  ok = 0,
  expectation_failed = 1,
  different = 1,  // two sides of a diff
  bad_input = 2,  // or bad usage
  limit = 3,      // a limit of the scenario was reached
  output_failed = 4,
  out_of_memory = 5,  // more than --max-memory, or than the system has
};

}  // namespace loopsim::cli
