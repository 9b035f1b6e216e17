// The run of a program that is JavaScript: the engine, Node, and the trace.
#include "loopsim/simulator.hpp"

#include "sim/node/environment.hpp"
#include "sim/program/run_info.hpp"
#include "sim/quickjs/engine.hpp"
#include "sim/quickjs/run_page.hpp"
#include "sim/quickjs/stack.hpp"
#include "sim/runtime/run_to_end.hpp"

namespace loopsim {

namespace {

RunSummary run_process(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks) {
  Position position;
  Tracer tracer(position, sinks);
  Names names(tracer);
  const node::Setup setup = {.profile = *program.profile,
                             .machine = program.machine,
                             .limits = program.limits,
                             .inputs = program.inputs,
                             .entry = program.entry,
                             .threadpool = program.threadpool,
                             .delay_resolution = program.delay_resolution,
                             .main_label = 0,
                             .seed = seed};
  quickjs::Engine engine(program, seed, tracer, names);
  node::Environment environment(setup, engine, tracer, position);
  RunInfo info = run_info_of(program, seed, environment.clock_phase());
  info.names = names.list();
  tracer.begin(info);
  return runtime::run_to_end(environment, tracer);
}

RunSummary run_with_quickjs(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks) {
  RunSummary summary;
  const auto run_it = program.profile->family == Family::browser ? quickjs::run_page : run_process;
  quickjs::with_stack_of_a_world([&] { summary = run_it(program, seed, sinks); });
  return summary;
}

}  // namespace

ScriptRunner script_runner() { return run_with_quickjs; }

}  // namespace loopsim
