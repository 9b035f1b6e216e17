// Which sandbox a command gets, by what was typed: the files that it names are what it may read and write.
#pragma once

#include "tools/loopsim/io/sandbox.hpp"

namespace loopsim::cli {

class Arguments;

// What the command may do: read its operands, and what the programs among them see; write where its options say.
[[nodiscard]] SandboxRules rules_of(const Arguments& arguments);

// Shuts the process in, unless --no-sandbox was given. False, after reporting the error: --sandbox was given, and it
// cannot be had whole.
[[nodiscard]] bool confine(const Arguments& arguments, const SandboxRules& rules);

}  // namespace loopsim::cli
