#include <array>

#include "tools/loopsim/line/command.hpp"

namespace loopsim::cli {
namespace {

// In the order of the help text.
#ifdef LOOPSIM_FOR_THE_PLAYGROUND
constexpr std::array kCommands = {
    &kRunCommand, &kDiffCommand, &kSweepCommand, &kOrdersCommand, &kJsCommand, &kListCommand,
};
#else
constexpr std::array kCommands = {
    &kNewCommand,   &kRunCommand,   &kExplainCommand, &kConvertCommand,    &kCheckCommand, &kDiffCommand,
    &kSweepCommand, &kMergeCommand, &kPlotCommand,    &kOrdersCommand,     &kPlayCommand,  &kJsCommand,
    &kCCommand,     &kListCommand,  &kSchemaCommand,  &kCompletionCommand, &kManCommand,
};
#endif

}  // namespace

std::span<const Command* const> commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  for (const Command* command : kCommands) {
    if (command->name == name) return command;
  }
  return nullptr;
}

}  // namespace loopsim::cli
