// The words behind a command's name, told apart into options, their values and operands. Two implementations, which a test holds
// to each other: Boost.Program_options (typed_words.cpp), and the C library's getopt_long() for WebAssembly (wasm/typed_words.cpp),
// where there are no exceptions.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tools/loopsim/line/command.hpp"

namespace loopsim::cli {

struct TypedWords {
  std::map<std::string, std::vector<std::string>, std::less<>> values;  // by long names; of a flag, an empty one for each time
  std::vector<std::string> order;                                       // the long names, once for each time
  std::vector<std::string> operands;
};

struct WrongWord {
  enum class Kind : std::uint8_t { unknown_option, lacks_value, takes_no_value };
  Kind kind;
  std::string option;  // as typed where it is unknown ("--form", "-x"), else its long form
};

// Calls use(option) for each option of the command.
template <typename Use>
void for_each_option(const Command& command, Use use) {
  for (const std::span<const Option> group : command.options) {
    for (const Option& option : group) use(option);
  }
}

// "--name", "--name=value", "-n" or "-nvalue" of an option that there is.
[[nodiscard]] bool is_option(const Command& command, std::string_view word);

// A value may be the next word, if that is no option of the command, or stand behind "="; a letter's may stand behind it. Behind
// "--" there are operands only. Of several wrong words any one is told. No abbreviations: the meaning of --form in a script must not
// change when --format-as is added.
[[nodiscard]] std::variant<TypedWords, WrongWord> read_words(const Command& command, std::span<const char* const> words);

}  // namespace loopsim::cli
