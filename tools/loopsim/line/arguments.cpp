#include "tools/loopsim/line/arguments.hpp"

#include <algorithm>
#include <optional>

#include <boost/program_options.hpp>

#include "loopsim/suggest.hpp"

namespace loopsim::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kOperands = "operands";  // the option under which Boost stores operands
constexpr std::string_view kMayNameFile = "[=FILE]";

// Calls use(option) for each option of the command.
template <typename Use>
void for_each_option(const Command& command, Use use) {
  for (const std::span<const Option> group : command.options) {
    for (const Option& option : group) use(option);
  }
}

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

// "text, jsonl or none"
std::string join(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

UsageError unknown_option(const Command& command, std::string option) {
  option.resize(std::min(option.size(), option.find('=')));
  const std::string_view word = std::string_view(option).substr(std::min(option.size(), option.find_first_not_of('-')));
  std::vector<std::string_view> names;
  std::string_view longer;  // an option that begins with the word
  for_each_option(command, [&](const Option& known) {
    names.push_back(known.name);
    if (longer.empty() && word.size() > 1 && known.name.starts_with(word)) longer = known.name;
  });
  const std::string close = longer.empty() ? nearest(word, names) : std::string(longer);
  return {"unknown option " + option, close.empty() ? "" : "--" + close};
}

// Error for an option's values, if any: given twice, or not one of the allowed words.
std::optional<UsageError> wrong_value(const Option& option, std::span<const std::string> values) {
  const std::string name = "--" + std::string(option.name);
  if (values.size() > 1 && !option.repeated) return UsageError{"option " + name + " is given more than once", ""};
  if (option.value.find('|') == std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> words = allowed_words(option.value);
  const bool may_name_file = option.value.ends_with(kMayNameFile);
  for (const std::string& value : values) {
    const std::string_view word = std::string_view(value).substr(0, may_name_file ? value.find('=') : value.npos);
    if (std::ranges::find(words, word) != words.end()) continue;
    std::string suggestion(nearest(word, words));
    if (!suggestion.empty()) suggestion += std::string_view(value).substr(word.size());
    return UsageError{"option " + name + " takes " + join(words) + ", not \"" + value + "\"", suggestion};
  }
  return std::nullopt;
}

std::optional<UsageError> wrong_operands(const Command& command, std::span<const std::string> operands) {
  const std::string name(command.name);
  if (operands.size() < command.least_operands) {
    return UsageError{name + " needs " + std::string(command.operands[operands.size()].name), ""};
  }
  if (operands.size() > command.most_operands) {
    return UsageError{name + " takes no argument \"" + operands[command.most_operands] + "\"", ""};
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string_view> allowed_words(std::string_view words) {
  if (words.ends_with(kMayNameFile)) words.remove_suffix(kMayNameFile.size());
  std::vector<std::string_view> split;
  while (true) {
    const std::size_t bar = words.find('|');
    split.push_back(words.substr(0, bar));
    if (bar == std::string_view::npos) return split;
    words.remove_prefix(bar + 1);
  }
}

std::string Arguments::value_or(std::string_view option, std::string_view absent) const {
  const std::span<const std::string> given = values(option);
  return given.empty() ? std::string(absent) : given.front();
}

std::span<const std::string> Arguments::values(std::string_view option) const {
  const auto found = options_.find(option);
  if (found == options_.end()) return {};
  return found->second;
}

void Arguments::add(std::string_view option, std::vector<std::string> values) {
  options_.emplace(option, std::move(values));
}

std::variant<Arguments, UsageError> parse_arguments(const Command& command, std::span<const char* const> words) {
  const auto is_help = [](std::string_view word) { return word == "--help" || word == "-h"; };
  Arguments arguments(command);
  if (std::ranges::any_of(words, is_help)) {
    arguments.add("help", {});
    return arguments;
  }

  po::variables_map parsed;
  try {
    const po::options_description description = describe(command);
    po::positional_options_description operands;
    operands.add(kOperands, -1);
    // No abbreviations: the meaning of --form in a script must not change when --format-as is added.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const po::parsed_options typed = po::command_line_parser(std::vector<std::string>(words.begin(), words.end()))
                                         .options(description)
                                         .positional(operands)
                                         .style(style)
                                         .run();
    for (const po::option& one : typed.options) arguments.add_to_order(one.string_key);
    po::store(typed, parsed);
  } catch (const po::unknown_option& error) {
    return unknown_option(command, error.get_option_name());
  } catch (const po::error_with_option_name& error) {  // a value is missing, or given to a flag
    const std::string name = error.get_option_name();
    const bool extra =
        dynamic_cast<const po::invalid_command_line_syntax*>(&error) != nullptr &&
        dynamic_cast<const po::invalid_command_line_syntax&>(error).kind() == po::invalid_syntax::extra_parameter;
    return UsageError{"option " + name + (extra ? " takes no value" : " needs a value"), ""};
  } catch (const po::error& error) {
    return UsageError{error.what(), ""};
  }

  std::optional<UsageError> wrong;
  for_each_option(command, [&](const Option& option) {
    const auto found = parsed.find(std::string(option.name));
    if (found == parsed.end() || wrong) return;
    std::vector<std::string> values;
    if (!option.value.empty()) values = found->second.as<std::vector<std::string>>();
    wrong = wrong_value(option, values);
    arguments.add(option.name, std::move(values));
  });
  if (wrong) return *wrong;

  if (parsed.contains(kOperands)) {
    for (const std::string& operand : parsed[kOperands].as<std::vector<std::string>>()) arguments.add_operand(operand);
  }
  wrong = wrong_operands(command, arguments.operands());
  if (wrong) return *wrong;
  return arguments;
}

}  // namespace loopsim::cli
