// A verifier of compiled programs: whether the interpreter can run one without leaving its bounds. It knows what every instruction
// reads and writes, and walks each function with the scopes that stand around it, the way frames will.
//
// A fault is a mistake of the compiler, never of the document. Builds with LOOPSIM_VERIFY (debug, the sanitizers', the fuzzers') ask
// for everything that is compiled; others only in tests.
#pragma once

#include <string>

#include "sim/program/program.hpp"

namespace loopsim {

// Empty for a program in which, for all that can be reached:
//   - every operand is a variable, a constant or a text that exists; a local stands in a scope that the function runs in, and within
//     that scope's slots;
//   - every jump and every handler stays in its function, and joins with the scopes that are there;
//   - no function falls off its end, waits without being an async one, or is called with scopes other than it was compiled for;
//   - every site, plan, duration, name and function is one that the program has, and every leaf is one.
// Otherwise the first fault, in words: "function 3, instruction 17: local 2 scopes out, of 1".
[[nodiscard]] std::string verify(const Program& program);

}  // namespace loopsim
