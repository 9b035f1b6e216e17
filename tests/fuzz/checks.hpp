// Invariants of scenarios and their runs, shared by the fuzz targets that produce scenarios.
#pragma once

#include <memory>

#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"

namespace loopsim::fuzz {

// Checks that the compiler, the JavaScript export and the table of known differences accept a scenario that the reader
// accepted, and that verify() accepts its program. Lowers the scenario's limits, so that runs are short. Null: it does
// not compile.
std::shared_ptr<const Program> check_scenario(Scenario& scenario);

// Runs the program with all writers and explanations. Checks that it ends, that the trace and the explanations keep
// their rules, that a second run and a run without a trace are equal, and that the trace can be read back and rewritten
// byte for byte.
void check_run(const Program& program);

// Runs a program in JavaScript with its steps told, and checks that the trace can be read back and that it is the same
// run: unless jumps cost time, which is then shared out otherwise, or the program can see when garbage is collected.
void check_steps(const Scenario& scenario, const Program& program);

}  // namespace loopsim::fuzz
