// loopsim completion: prints a completion script for a shell.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "loopsim/suggest.hpp"

#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"
#include "tools/loopsim/shell/completion_scripts.hpp"

namespace loopsim::cli {
namespace {

struct Shell {
  std::string_view name;
  std::string (*script)();
};
constexpr std::array kShells = {Shell{"bash", bash_completion}, Shell{"zsh", zsh_completion},
                                Shell{"fish", fish_completion}};

ExitStatus run_completion(const Arguments& arguments) {
  const std::string& name = arguments.operands().front();
  const auto shell = std::ranges::find(kShells, name, &Shell::name);
  if (shell == kShells.end()) {
    std::vector<std::string_view> names;
    for (const Shell& one : kShells) names.push_back(one.name);
    report_usage_error({"there is no completion for \"" + name + "\": it is neither bash, zsh nor fish",
                        std::string(nearest(name, names))},
                       &arguments.command());
    return ExitStatus::bad_input;
  }
  return write_output(arguments.value_or("output", "-"), shell->script()) ? ExitStatus::ok : ExitStatus::output_failed;
}

// ---- command line ---------------------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {Operand{"SHELL", "bash, zsh or fish"}};

constexpr std::array<std::span<const Option>, 2> kOptions = {kOutputOptions, kCommonOptions};

}  // namespace

const Command kCompletionCommand = {
    .name = "completion",
    .usage = "bash|zsh|fish [OPTION]...",
    .summary = "Print a script with which a shell completes this command line.",
    .details =
        "An installed loopsim has them in place. To try one in the shell that runs:\n"
        "  bash  source <(loopsim completion bash)\n"
        "  zsh   source <(loopsim completion zsh)\n"
        "  fish  loopsim completion fish | source\n",
    .operands = kOperands,
    .least_operands = 1,
    .most_operands = 1,
    .options = kOptions,
    .run = run_completion,
};

}  // namespace loopsim::cli
