// The run of a program: the engine, Node, and the trace.
#include "loopsim/simulator.hpp"

#include "sim/io/process.hpp"
#include "sim/libuv/process.hpp"
#include "sim/node/environment.hpp"
#include "sim/program/run_info.hpp"
#include "sim/runtime/run_to_end.hpp"
#include "sim/vm/engine.hpp"

namespace loopsim {

namespace {

RunSummary run_libuv(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks) {
  Position position;
  Tracer tracer(position, sinks);
  const libuv::Setup setup = {.libuv = program.profile->libuv,
                              .machine = program.machine,
                              .limits = program.limits,
                              .inputs = program.inputs,
                              .threadpool = program.threadpool,
                              .main_label = program.functions[0].label,
                              .seed = seed};
  vm::Engine engine(program, seed, tracer);
  libuv::Process process(setup, engine, tracer, position);
  engine.connect(process);
  RunInfo info = run_info_of(program, seed, process.clock_phase());
  info.names = program.names;
  tracer.begin(info);
  return runtime::run_to_end(process, tracer);
}

}  // namespace

RunSummary run(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks) {
  if (program.run_script != nullptr) return program.run_script(program, seed, sinks);
  if (program.io != nullptr) return io::run(program, seed, sinks);
  if (program.profile->family == Family::libuv) return run_libuv(program, seed, sinks);
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
  return runtime::run_to_end(environment, tracer);
}

RunSummary run(const Program& program, std::span<TraceSink* const> sinks) { return run(program, program.seed, sinks); }

}  // namespace loopsim
