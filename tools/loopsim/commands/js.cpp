// loopsim js: prints a scenario as a Node script.

#include <array>

#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/io/scenario_input.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/machine_options.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"

namespace loopsim::cli {
namespace {

ExitStatus run_js(const Arguments& arguments) {
  const std::optional<ReadOptions> options = read_options(arguments);
  if (!options) return ExitStatus::bad_input;

  const std::string& path = arguments.operands().front();
  if (overwrites_input(path, arguments.value_or("output", "-"))) return ExitStatus::bad_input;
  std::optional<std::string> text = read_scenario_text(path);
  if (!text) return ExitStatus::bad_input;
  const std::optional<Scenario> scenario = read_document(*std::move(text), path, *options);
  if (!scenario) return ExitStatus::bad_input;

  if (scenario->io != nullptr) {
    report_error(path + ": a scenario of the runtime io has no script: its program is the model");
    return ExitStatus::bad_input;
  }
  if (find_profile(scenario->runtime.profile)->family == Family::libuv) {
    report_error(path + ": a scenario for libuv alone has no script; `loopsim c` prints its program");
    return ExitStatus::bad_input;
  }

  const std::string script = to_javascript(*scenario, {.instrumented = arguments.has("instrumented")});
  return write_output(arguments.value_or("output", "-"), script) ? ExitStatus::ok : ExitStatus::output_failed;
}

// ---- command line ---------------------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {Operand{"FILE", "a scenario, or - for standard input"}};

constexpr std::array kOwnOptions = {
    Option{"instrumented", 0, "", false, "add a line of output for every callback that begins"},
};

constexpr std::array<std::span<const Option>, 7> kOptions = {
    kScenarioOptions, kMachineOptions, kSeedOptions, kOwnOptions, kOutputOptions, kWarningOptions, kCommonOptions};

}  // namespace

const Command kJsCommand = {
    .name = "js",
    .usage = "FILE [OPTION]...",
    .summary = "Print the Node script that a scenario stands for.",
    .details = "",
    .operands = kOperands,
    .least_operands = 1,
    .most_operands = 1,
    .options = kOptions,
    .run = run_js,
    .is_confined = true,
};

}  // namespace loopsim::cli
