// Candidates for completing the command line.
#pragma once

#include <string>
#include <vector>

#include "tools/loopsim/line/command.hpp"

namespace loopsim::cli {

struct Candidates {
  enum class Files : char { none, any, json, folders };
  std::vector<std::string> words;
  Files files = Files::none;
  bool may_name_file = false;  // WORD or WORD=FILE
  bool must_name_file = false;
  [[nodiscard]] bool is_nothing() const { return words.empty() && files == Files::none; }
};

// The words joined by spaces.
[[nodiscard]] std::string joined(const std::vector<std::string>& words);

// Candidates for the value of an option: the allowed words in the table, or derived from the name of the value.
[[nodiscard]] Candidates candidates_of(const Option& option);

// Candidates for each operand of the command, in order. The last operand may repeat if the command takes any number.
[[nodiscard]] std::vector<Candidates> candidates_of_operands(const Command& command);

}  // namespace loopsim::cli
