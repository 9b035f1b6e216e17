// The run of a program: the engine, Node, and the trace.
#include "loopsim/simulator.hpp"

#include "sim/node/run_to_end.hpp"
#include "sim/program/run_info.hpp"
#include "sim/vm/engine.hpp"

namespace loopsim {

RunSummary run(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks) {
  if (program.run_script != nullptr) return program.run_script(program, seed, sinks);
  Position position;
  Tracer tracer(position, sinks);
  const Function& main = program.functions[0];
  const node::Setup setup = {.profile = *program.profile,
                             .machine = program.machine,
                             .limits = program.limits,
                             .inputs = program.inputs,
                             .entry = program.entry,
                             .threadpool = program.threadpool,
                             .delay_resolution = program.delay_resolution,
                             .main_label = main.label,
                             .main_is_async = main.is_async,
                             .seed = seed};
  vm::Engine engine(program, seed, tracer);
  node::Environment environment(setup, engine, tracer, position);
  RunInfo info = run_info_of(program, seed, environment.clock_phase());
  info.names = program.names;
  tracer.begin(info);
  return node::run_to_end(environment, tracer);
}

RunSummary run(const Program& program, std::span<TraceSink* const> sinks) { return run(program, program.seed, sinks); }

}  // namespace loopsim
