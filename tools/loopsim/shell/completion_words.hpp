// What may stand where on the command line, for the shells that complete it.
#pragma once

#include <string>
#include <vector>

#include "tools/loopsim/line/command.hpp"

namespace loopsim::cli {

struct Candidates {
  enum class Files : char { none, any, json, folders };
  std::vector<std::string> words;
  Files files = Files::none;
  bool may_name_file = false;  // a word, or WORD=FILE
  bool must_name_file = false;
  [[nodiscard]] bool is_nothing() const { return words.empty() && files == Files::none; }
};

// The words with a space between any two.
[[nodiscard]] std::string joined(const std::vector<std::string>& words);

// For the value of an option: from the words that its table allows, or by what its value is called.
[[nodiscard]] Candidates candidates_of(const Option& option);

// For the command's arguments, in order. The last one may be repeated when the command takes any number.
[[nodiscard]] std::vector<Candidates> candidates_of_operands(const Command& command);

}  // namespace loopsim::cli
