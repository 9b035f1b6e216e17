// loopsim schema: prints the JSON Schema of the scenario language, for editors.

#include <array>

#include "loopsim/scenario.hpp"

#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/options.hpp"

namespace loopsim::cli {
namespace {

ExitStatus run_schema(const Arguments& arguments) {
  return write_output(arguments.value_or("output", "-"), scenario_schema()) ? ExitStatus::ok
                                                                            : ExitStatus::output_failed;
}

constexpr std::array<std::span<const Option>, 2> kOptions = {kOutputOptions, kCommonOptions};

}  // namespace

const Command kSchemaCommand = {
    .name = "schema",
    .usage = "[OPTION]...",
    .summary = "Print the JSON Schema of the scenario language, for editors.",
    .details = "",
    .operands = {},
    .least_operands = 0,
    .most_operands = 0,
    .options = kOptions,
    .run = run_schema,
};

}  // namespace loopsim::cli
