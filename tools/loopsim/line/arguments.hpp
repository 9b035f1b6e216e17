// Arguments of one command, told apart by typed_words.hpp and checked against the command's table.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tools/loopsim/line/command.hpp"

namespace loopsim::cli {

struct UsageError {
  std::string message;     // one sentence without a final stop
  std::string suggestion;  // the nearest valid word, or empty
};

class Arguments {
 public:
  explicit Arguments(const Command& command) : command_(&command) {}

  [[nodiscard]] const Command& command() const { return *command_; }
  [[nodiscard]] bool has(std::string_view option) const { return options_.contains(option); }
  [[nodiscard]] std::string value_or(std::string_view option, std::string_view absent) const;
  [[nodiscard]] std::span<const std::string> values(std::string_view option) const;
  [[nodiscard]] std::span<const std::string> operands() const { return operands_; }
  // The names of the options in the order in which they were typed, once for each time.
  [[nodiscard]] std::span<const std::string> order() const { return order_; }
  // What stands behind --, for the program that is run.
  [[nodiscard]] std::span<const std::string> program_arguments() const { return program_arguments_; }

  void add(std::string_view option, std::vector<std::string> values);
  void add_to_order(std::string option) { order_.push_back(std::move(option)); }
  void add_operand(std::string operand) { operands_.push_back(std::move(operand)); }
  void add_program_argument(std::string argument) { program_arguments_.push_back(std::move(argument)); }

 private:
  const Command* command_;
  std::map<std::string, std::vector<std::string>, std::less<>> options_;
  std::vector<std::string> operands_;
  std::vector<std::string> order_;
  std::vector<std::string> program_arguments_;
};

// The words that an option's `value` allows: "a|b" and "a|b[=FILE]" are a and b.
[[nodiscard]] std::vector<std::string_view> allowed_words(std::string_view value);

// `words` are the arguments after the command's name. With --help among them nothing else is checked. Where a command
// takes arguments of the program, those stand behind the first -- with FILE before it.
[[nodiscard]] std::variant<Arguments, UsageError> parse_arguments(const Command& command,
                                                                  std::span<const char* const> words);

}  // namespace loopsim::cli
