// In builds without the engine of JavaScript.
#include "loopsim/memory_account.hpp"

#include "sim/program/program.hpp"

namespace loopsim {

void set_memory_account(const MemoryAccount& /*account*/) {}
void set_small_stacks() {}

ScriptRunner script_runner() { return nullptr; }

Diagnostics check_script(const Program& /*program*/) { return {}; }

}  // namespace loopsim
