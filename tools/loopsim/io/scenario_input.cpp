#include "tools/loopsim/io/scenario_input.hpp"

#include <utility>

#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/step_ceiling.hpp"

namespace loopsim::cli {

std::optional<Scenario> read_document(std::string text, const std::string& path, const ReadOptions& options) {
  ReadResult result = read_scenario(std::move(text), input_name(path), capped(options));
  report_diagnostics(result.diagnostics);
  return std::move(result.scenario);
}

std::optional<LoadedScenario> load_document(std::string text, const std::string& path, const ReadOptions& options,
                                            const CompileOptions& compile_options) {
  std::optional<Scenario> scenario = read_document(std::move(text), path, options);
  if (!scenario) return std::nullopt;
  CompileResult compiled = compile(*scenario, compile_options);
  report_diagnostics(compiled.diagnostics);
  if (compiled.program == nullptr) return std::nullopt;
  return LoadedScenario{*std::move(scenario), std::move(compiled.program)};
}

}  // namespace loopsim::cli
