// What must hold for scenarios and their runs: the targets that make scenarios share it.
#pragma once

#include <memory>

#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"

namespace loopsim::fuzz {

// What the reader takes, the compiler, the export and the table of known differences take, too; the program is one that the interpreter
// can run. Its limits become small ones, so that many are run; the scenario's own stay where they are smaller still.
std::shared_ptr<const Program> check_scenario(Scenario& scenario);

// A run with all writers and explanations: it ends, keeps all rules of traces and explanations, is the same again, and the same without a
// trace; its trace can be read and gives the same bytes again.
void check_run(const Program& program);

}  // namespace loopsim::fuzz
