#include "tools/loopsim/io/scenario_input.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/module_files.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/paths.hpp"
#include "tools/loopsim/line/step_ceiling.hpp"

namespace loopsim::cli {

namespace {

bool inputs_are_javascript = false;  // set once, before anything is read

bool is_module(const std::string& path) { return path.ends_with(".mjs"); }
bool is_javascript(const std::string& path) {
  if (path.ends_with(".js") || path.ends_with(".cjs") || is_module(path)) return true;
  return inputs_are_javascript && !path.ends_with(".json") && !path.ends_with(".jsonl");
}

}  // namespace

void set_inputs_are_javascript(bool are_javascript) { inputs_are_javascript = are_javascript; }

bool stand_in_root(std::span<const std::string> paths) {
  return std::ranges::all_of(paths,
                             [](const std::string& path) { return !is_javascript(path) || is_in_given_root(path); });
}

std::string scenario_text(std::string text, const std::string& path) {
  if (!is_javascript(path)) return text;
  nlohmann::ordered_json document;
  const std::string name = path == "-" ? "[stdin]" : path;  // as Node calls it
  document["title"] = file_name_of(name);
  document["script"] = {{"file", name}, {"text", std::move(text)}};
  constexpr std::uint64_t kMost = 1'000'000'000'000'000;  // that a document can ask for
  if (step_ceiling_is_given())
    document["limits"]["steps"] = step_ceiling() == 0 ? kMost : std::min(step_ceiling(), kMost);
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::optional<std::string> read_scenario_text(const std::string& path) {
  std::optional<std::string> text = read_input(path);
  if (text) text = scenario_text(*std::move(text), path);
  return text;
}

ReadOptions with_files(ReadOptions options, const std::string& path) {
  const std::string base = is_javascript(path) ? std::string() : folder_of(path);
  options.read_file = [base](const std::string& name) { return read_script(base, name); };
  options.folder_of = [base](const std::string& name) { return files_of_program(path_below(base, name)); };
  return options;
}

std::optional<Scenario> read_document(std::string text, const std::string& path, const ReadOptions& options) {
  ReadResult result = read_scenario(std::move(text), input_name(path), with_files(capped(options), path));
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
