#include "tools/loopsim/line/arguments.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "loopsim/suggest.hpp"

#include "tools/loopsim/line/typed_words.hpp"

namespace loopsim::cli {
namespace {

constexpr std::string_view kMayNameFile = "[=FILE]";

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

UsageError usage_error(const Command& command, const WrongWord& wrong) {
  switch (wrong.kind) {
    case WrongWord::Kind::unknown_option: return unknown_option(command, wrong.option);
    case WrongWord::Kind::lacks_value: return {"option " + wrong.option + " needs a value", ""};
    case WrongWord::Kind::takes_no_value: break;
  }
  return {"option " + wrong.option + " takes no value", ""};
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

// Where the -- stands behind which all words are the program's: a command's operands stand before it. Without one, the end.
std::size_t end_of_own_words(const Command& command, std::span<const char* const> words) {
  const auto found =
      std::ranges::find(words, std::string_view("--"), [](const char* word) { return std::string_view(word); });
  if (!command.takes_arguments || found == words.end()) return words.size();
  const auto end = static_cast<std::size_t>(found - words.begin());
  const std::variant<TypedWords, WrongWord> own = read_words(command, words.first(end));
  const auto* const typed = std::get_if<TypedWords>(&own);
  const bool has_file = typed == nullptr || typed->operands.size() >= command.least_operands;
  return has_file ? end : words.size();
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

bool is_option(const Command& command, std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return false;
  const bool is_long = word.starts_with("--");
  const std::string_view name = word.substr(0, word.find('=')).substr(is_long ? 2 : 1);
  bool is_known = false;
  for_each_option(command, [&](const Option& option) {
    is_known = is_known || (is_long ? option.name == name : option.letter != 0 && option.letter == word[1]);
  });
  return is_known;
}

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
  const std::size_t end = end_of_own_words(command, words);
  for (const char* const word : words.subspan(std::min(end + 1, words.size()))) arguments.add_program_argument(word);
  words = words.first(end);
  if (std::ranges::any_of(words, is_help)) {
    arguments.add("help", {});
    return arguments;
  }

  std::variant<TypedWords, WrongWord> read = read_words(command, words);
  if (const auto* const word = std::get_if<WrongWord>(&read)) return usage_error(command, *word);
  TypedWords& typed = std::get<TypedWords>(read);
  std::optional<UsageError> wrong;
  for_each_option(command, [&](const Option& option) {
    const auto found = typed.values.find(option.name);
    if (found == typed.values.end() || wrong) return;
    wrong = wrong_value(option, found->second);
    arguments.add(option.name, option.value.empty() ? std::vector<std::string>() : std::move(found->second));
  });
  if (wrong) return *wrong;
  for (std::string& name : typed.order) arguments.add_to_order(std::move(name));
  for (std::string& operand : typed.operands) arguments.add_operand(std::move(operand));
  wrong = wrong_operands(command, arguments.operands());
  if (wrong) return *wrong;
  return arguments;
}

}  // namespace loopsim::cli
