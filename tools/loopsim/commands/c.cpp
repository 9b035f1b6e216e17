// loopsim c: prints a scenario for libuv alone as a program in C.

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

ExitStatus run_c(const Arguments& arguments) {
  const std::optional<ReadOptions> options = read_options(arguments);
  if (!options) return ExitStatus::bad_input;

  const std::string& path = arguments.operands().front();
  if (overwrites_input(path, arguments.value_or("output", "-"))) return ExitStatus::bad_input;
  std::optional<std::string> text = read_scenario_text(path);
  if (!text) return ExitStatus::bad_input;
  const std::optional<Scenario> scenario = read_document(*std::move(text), path, *options);
  if (!scenario) return ExitStatus::bad_input;

  if (scenario->io != nullptr) {
    report_error(
        path +
        ": a scenario of the runtime io has no program in C here: those of its models are in tools/conformance/io");
    return ExitStatus::bad_input;
  }
  if (find_profile(scenario->runtime.profile)->family != Family::libuv) {
    report_error(path + ": a scenario for Node has no program in C; `loopsim js` prints its script");
    return ExitStatus::bad_input;
  }

  const std::string program = to_c(*scenario, {.judged = arguments.has("judged")});
  return write_output(arguments.value_or("output", "-"), program) ? ExitStatus::ok : ExitStatus::output_failed;
}

// ---- command line ---------------------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {Operand{"FILE", "a scenario, or - for standard input"}};

constexpr std::array kOwnOptions = {
    Option{"judged", 0, "", false, "without uv.h, for the libuv inside of Node: the conformance check loads it there"},
};

constexpr std::array<std::span<const Option>, 7> kOptions = {
    kScenarioOptions, kMachineOptions, kSeedOptions, kOwnOptions, kOutputOptions, kWarningOptions, kCommonOptions};

}  // namespace

const Command kCCommand = {
    .name = "c",
    .usage = "FILE [OPTION]...",
    .summary = "Print the program in C that a scenario for libuv alone stands for.",
    .details = "",
    .operands = kOperands,
    .least_operands = 1,
    .most_operands = 1,
    .options = kOptions,
    .run = run_c,
    .is_confined = true,
};

}  // namespace loopsim::cli
