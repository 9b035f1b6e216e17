#include "sim/quickjs/run_page.hpp"

#include "sim/browser/page.hpp"
#include "sim/program/run_info.hpp"
#include "sim/quickjs/web_engine.hpp"
#include "sim/runtime/run_to_end.hpp"

namespace loopsim::quickjs {

RunSummary run_page(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks) {
  Position position;
  Tracer tracer(position, sinks);
  Names names(tracer);
  const browser::Setup setup = {.browser = program.profile->browser,
                                .machine = program.machine,
                                .limits = program.limits,
                                .inputs = program.inputs,
                                .main_label = 0,
                                .seed = seed};
  WebEngine engine(program, seed, tracer, names);
  browser::Page page(setup, engine, tracer, position);
  RunInfo info = run_info_of(program, seed, page.clock_phase());
  info.names = names.list();
  tracer.begin(info);
  return runtime::run_to_end(page, tracer);
}

}  // namespace loopsim::quickjs
