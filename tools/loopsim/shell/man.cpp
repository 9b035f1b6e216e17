// loopsim man: prints the manual page.

#include <array>

#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/options.hpp"
#include "tools/loopsim/shell/man_page.hpp"

namespace loopsim::cli {
namespace {

ExitStatus run_man(const Arguments& arguments) {
  return write_output(arguments.value_or("output", "-"), man_page()) ? ExitStatus::ok : ExitStatus::output_failed;
}

constexpr std::array<std::span<const Option>, 2> kOptions = {kOutputOptions, kCommonOptions};

}  // namespace

const Command kManCommand = {
    .name = "man",
    .usage = "[OPTION]...",
    .summary = "Print the manual page of this program, in roff.",
    .details = "An installed loopsim has it in place. To read this one: loopsim man | man -l -\n",
    .operands = {},
    .least_operands = 0,
    .most_operands = 0,
    .options = kOptions,
    .run = run_man,
};

}  // namespace loopsim::cli
