// In builds without the engine of JavaScript.
#include "sim/program/program.hpp"

namespace loopsim {

ScriptRunner script_runner() { return nullptr; }

Diagnostics check_script(const Program& /*program*/) { return {}; }

}  // namespace loopsim
