// The sub-commands: one table drives the command line, its help and its error messages.
//
// To add a command: write commands/NAME.cpp (in a folder of its own when it is more than one file) with its
// `const Command kNameCommand`, declare it below, and list it in commands/commands.cpp.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

#include "tools/loopsim/line/exit_status.hpp"

namespace loopsim::cli {

class Arguments;

struct Option {
  std::string_view name;   // long name, without dashes
  char letter;             // short name, or 0
  std::string_view value;  // "FILE", or the allowed words: "text|json", "text|json[=FILE]"; empty: a flag
  bool repeated;           // may be given more than once
  std::string_view help;
};

struct Operand {
  std::string_view name;
  std::string_view help;
};

struct Command {
  static constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

  std::string_view name;
  std::string_view usage;  // after the name
  std::string_view summary;
  std::string_view details;  // further text for --help; may be empty
  std::span<const Operand> operands;
  std::size_t least_operands;
  std::size_t most_operands;
  std::span<const std::span<const Option>> options;  // groups (options.hpp)
  ExitStatus (*run)(const Arguments& arguments);
  bool is_confined = false;      // reads what others have written: shut in before it runs (io/confinement.hpp)
  bool takes_arguments = false;  // of the program that it runs: what stands behind --
};

extern const Command kRunCommand;
extern const Command kExplainCommand;
extern const Command kConvertCommand;
extern const Command kCheckCommand;
extern const Command kDiffCommand;
extern const Command kOrdersCommand;
extern const Command kPlayCommand;
extern const Command kJsCommand;
extern const Command kCCommand;
extern const Command kListCommand;
extern const Command kSchemaCommand;
extern const Command kSweepCommand;
extern const Command kMergeCommand;
extern const Command kPlotCommand;
extern const Command kNewCommand;
extern const Command kCompletionCommand;
extern const Command kManCommand;

[[nodiscard]] std::span<const Command* const> commands();
[[nodiscard]] const Command* find_command(std::string_view name);  // null: no such command

}  // namespace loopsim::cli
