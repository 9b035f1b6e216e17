#include "tools/loopsim/line/typed_words.hpp"

#include <boost/program_options.hpp>

namespace loopsim::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kOperands = "operands";  // the option under which Boost stores operands

po::options_description describe(const Command& command) {
  po::options_description description;
  for_each_option(command, [&description](const Option& option) {
    std::string name(option.name);
    if (option.letter != 0) name.append(",").push_back(option.letter);
    if (option.value.empty()) {
      description.add_options()(name.c_str(), "");
    } else {
      description.add_options()(name.c_str(), po::value<std::vector<std::string>>()->composing(), "");
    }
  });
  description.add_options()(kOperands, po::value<std::vector<std::string>>(), "");
  return description;
}

}  // namespace

std::variant<TypedWords, WrongWord> read_words(const Command& command, std::span<const char* const> words) {
  TypedWords typed;
  try {
    const po::options_description description = describe(command);
    po::positional_options_description operands;
    operands.add(kOperands, -1);
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const po::parsed_options parsed = po::command_line_parser(std::vector<std::string>(words.begin(), words.end()))
                                          .options(description)
                                          .positional(operands)
                                          .style(style)
                                          .run();
    for (const po::option& one : parsed.options) {
      if (one.string_key == kOperands) {
        typed.operands.insert(typed.operands.end(), one.value.begin(), one.value.end());
        continue;
      }
      // Boost takes the next word whatever it is, but for a letter alone.
      if (one.original_tokens.size() > 1 && is_option(command, one.original_tokens[1]))
        return WrongWord{WrongWord::Kind::lacks_value, "--" + one.string_key};
      typed.order.push_back(one.string_key);
      std::vector<std::string>& values = typed.values[one.string_key];
      if (one.value.empty()) values.emplace_back();
      values.insert(values.end(), one.value.begin(), one.value.end());
    }
  } catch (const po::unknown_option& error) {
    return WrongWord{WrongWord::Kind::unknown_option, error.get_option_name()};
  } catch (const po::error_with_option_name& error) {
    const auto* const syntax = dynamic_cast<const po::invalid_command_line_syntax*>(&error);
    const bool is_extra = syntax != nullptr && syntax->kind() == po::invalid_syntax::extra_parameter;
    return WrongWord{is_extra ? WrongWord::Kind::takes_no_value : WrongWord::Kind::lacks_value, error.get_option_name()};
  }
  return typed;
}

}  // namespace loopsim::cli
