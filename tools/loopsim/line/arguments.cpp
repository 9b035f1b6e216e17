#include "tools/loopsim/line/arguments.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <getopt.h>

#include "loopsim/suggest.hpp"

namespace loopsim::cli {
namespace {

constexpr std::string_view kMayNameFile = "[=FILE]";

// Calls use(option) for each option of the command.
template <typename Use>
void for_each_option(const Command& command, Use use) {
  for (const std::span<const Option> group : command.options) {
    for (const Option& option : group) use(option);
  }
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

// What was typed, by the options' long names.
struct Typed {
  std::map<std::string, std::vector<std::string>, std::less<>> values;  // of a flag, an empty one for each time
  std::vector<std::string> order;
  std::vector<std::string> operands;
};

// The words as getopt_long() wants them: they may be changed by it, and the first is the program's name.
class Words {
 public:
  explicit Words(std::span<const char* const> words) : texts_{"loopsim"} {
    texts_.insert(texts_.end(), words.begin(), words.end());
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }
  [[nodiscard]] int count() const { return static_cast<int>(texts_.size()); }
  [[nodiscard]] char* const* pointers() const { return pointers_.data(); }
  // Empty beyond the last one.
  [[nodiscard]] std::string_view at(int index) const {
    return index < count() ? std::string_view(pointers_[static_cast<std::size_t>(index)]) : std::string_view();
  }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

std::string_view name_in(std::string_view word) { return word.substr(2, word.find('=') - 2); }
bool is_long(std::string_view word) { return word.size() > 2 && word.starts_with("--"); }

class OptionTable {
 public:
  explicit OptionTable(const Command& command) {
    for_each_option(command, [this](const Option& option) { options_.push_back(&option); });
    // "-": operands are told in their places, whatever the environment says; ":": a missing value is told apart.
    letters_ = "-:";
    for (std::size_t i = 0; i < options_.size(); ++i) {
      const Option& option = *options_[i];
      const int has_value = option.value.empty() ? no_argument : required_argument;
      names_.emplace_back(option.name);
      if (option.letter != 0) letters_.append(1, option.letter).append(option.value.empty() ? "" : ":");
      rows_.push_back({nullptr, has_value, nullptr, kFirst + static_cast<int>(i)});
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].name = names_[i].c_str();
    rows_.push_back({nullptr, 0, nullptr, 0});
  }
  [[nodiscard]] const char* letters() const { return letters_.c_str(); }
  [[nodiscard]] const struct option* rows() const { return rows_.data(); }

  // By what getopt_long() returns. Null: none.
  [[nodiscard]] const Option* find(int code) const {
    if (code >= kFirst) return options_[static_cast<std::size_t>(code - kFirst)];
    const auto found = std::ranges::find_if(options_, [code](const Option* option) { return option->letter == code; });
    return code == 0 || found == options_.end() ? nullptr : *found;
  }
  [[nodiscard]] const Option* named(std::string_view name) const {
    const auto found = std::ranges::find_if(options_, [name](const Option* option) { return option->name == name; });
    return found == options_.end() ? nullptr : *found;
  }
  // Whether the word is an option that there is, and no value.
  [[nodiscard]] bool has(std::string_view word) const {
    if (is_long(word)) return named(name_in(word)) != nullptr;
    return word.size() > 1 && word[0] == '-' && find(static_cast<unsigned char>(word[1])) != nullptr;
  }

 private:
  static constexpr int kFirst = 256;  // beyond all letters
  std::vector<const Option*> options_;
  std::vector<std::string> names_;
  std::string letters_;
  std::vector<struct option> rows_;
};

std::variant<Typed, UsageError> read_words(const Command& command, std::span<const char* const> given) {
  constexpr int kOperand = 1, kUnknown = '?', kLacksValue = ':';
  const Words words(given);
  const OptionTable table(command);
  const auto needs_value = [](const Option& option) {
    return UsageError{"option --" + std::string(option.name) + " needs a value", ""};
  };
  Typed typed;
  opterr = 0;
  optind = 0;  // begins anew, also in its own notes
  while (true) {
    // No abbreviations: the meaning of --form in a script must not change when --format-as is added.
    const std::string_view next = words.at(std::max(optind, 1));
    if (is_long(next) && table.named(name_in(next)) == nullptr) return unknown_option(command, std::string(next));
    const int code = getopt_long(words.count(), words.pointers(), table.letters(), table.rows(), nullptr);
    if (code == -1) break;
    if (code == kOperand) {
      typed.operands.emplace_back(optarg);
      continue;
    }
    const Option* const about = table.find(code == kUnknown || code == kLacksValue ? optopt : code);
    if (code == kLacksValue && about != nullptr) return needs_value(*about);
    if (code == kUnknown && about != nullptr) {  // its long form, with a value that it does not take
      return UsageError{"option --" + std::string(about->name) + " takes no value", ""};
    }
    if (about == nullptr) return unknown_option(command, std::string("-") + static_cast<char>(optopt));
    std::string& name = typed.order.emplace_back(about->name);
    if (about->value.empty()) {
      typed.values[name].emplace_back();
      continue;
    }
    const std::string_view value = optarg;
    const bool is_own_word = optarg == words.at(optind - 1).data();
    if (is_own_word ? table.has(value) : value.empty()) return needs_value(*about);
    typed.values[name].emplace_back(value);
  }
  for (int i = optind; i < words.count(); ++i) typed.operands.emplace_back(words.at(i));
  return typed;
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

  std::variant<Typed, UsageError> read = read_words(command, words);
  if (auto* const error = std::get_if<UsageError>(&read)) return std::move(*error);
  Typed& typed = std::get<Typed>(read);
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
