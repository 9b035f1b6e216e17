// A verifier of compiled programs: checks that the interpreter stays within bounds. It models the operands of every
// instruction, and walks each function with its enclosing scopes, as at run time.
//
// A fault is an error of the compiler, never of the document. Builds with LOOPSIM_VERIFY (debug, sanitizers, fuzzers)
// verify every compiled program; other builds only in tests.
#pragma once

#include <string>

#include "sim/program/program.hpp"

namespace loopsim {

// Returns an empty string if all reachable code is valid:
//   - every operand is an existing variable, constant or text; a local is in an enclosing scope and within its slots;
//   - every jump and handler target is in the same function, with the same scopes;
//   - no function falls off its end, awaits without being async, or is called with scopes other than it was compiled
//   for;
//   - every site, plan, duration, name and function exists, and every Site::leaf is a leaf.
// Otherwise returns the first fault: "function 3, instruction 17: local 2 scopes out, of 1".
[[nodiscard]] std::string verify(const Program& program);

}  // namespace loopsim
