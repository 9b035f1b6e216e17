#include "tools/loopsim/line/help.hpp"

namespace loopsim::cli {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kColumn = 26;  // first column of the help texts

constexpr std::string_view kExitStatus =
    "Exit status: 0 fine, 1 an expectation failed or a difference was found, 2 bad input or usage,\n"
    "3 a limit was reached, 4 output could not be written, 5 out of memory.\n";

// Appends "  WORD        help", with the help wrapped within its column.
void add_entry(std::string& text, const std::string& word, std::string_view help) {
  std::string line = "  " + word;
  if (line.size() + 2 > kColumn) {
    text.append(line).append("\n");
    line.clear();
  }
  line.resize(kColumn, ' ');
  while (line.size() + help.size() > kWidth) {
    const std::size_t space = help.rfind(' ', kWidth - line.size());
    if (space == std::string_view::npos) break;
    text.append(line).append(help.substr(0, space)).append("\n");
    help.remove_prefix(space + 1);
    line.assign(kColumn, ' ');
  }
  text.append(line).append(help).append("\n");
}

std::string option_word(const Option& option) {
  std::string word = option.letter != 0 ? std::string("-") + option.letter + ", " : std::string(4, ' ');
  word.append("--").append(option.name);
  if (!option.value.empty()) word.append(" ").append(option.value);
  return word;
}

}  // namespace

std::string program_help() {
  std::string text =
      "Usage: loopsim COMMAND [OPTION]... [ARGUMENT]...\n\n"
      "Simulates the Node.js event loop: runs a scenario, or a program in JavaScript, on a virtual clock, and\n"
      "reports what happens when, and why.\n\n"
      "Commands:\n";
  for (const Command* command : commands()) add_entry(text, std::string(command->name), command->summary);
  text += "\nOptions:\n";
  add_entry(text, "-h, --help", "print this help; loopsim COMMAND --help describes a command");
  add_entry(text, "    --version", "print the version");
  text +=
      "\nFILE is a scenario (JSON) or a JavaScript program (.js, .cjs, .mjs). - is standard input: a scenario, or\n"
      "with --js a program.\n";
  text += kExitStatus;
  return text;
}

std::string command_help(const Command& command) {
  std::string text = "Usage: loopsim ";
  text.append(command.name);
  if (!command.usage.empty()) text.append(" ").append(command.usage);
  text.append("\n\n").append(command.summary).append("\n");
  if (!command.details.empty()) text.append("\n").append(command.details);
  if (!command.operands.empty()) {
    text += "\nArguments:\n";
    for (const Operand& operand : command.operands) add_entry(text, std::string(operand.name), operand.help);
  }
  text += "\nOptions:\n";
  for (const std::span<const Option> group : command.options) {
    for (const Option& option : group) add_entry(text, option_word(option), option.help);
  }
  text.append("\n").append(kExitStatus);
  return text;
}

}  // namespace loopsim::cli
