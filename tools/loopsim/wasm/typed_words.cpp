// By getopt_long() of the C library, which throws nothing.
#include "tools/loopsim/line/typed_words.hpp"

#include <algorithm>
#include <utility>

#include <getopt.h>

namespace loopsim::cli {
namespace {

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

 private:
  static constexpr int kFirst = 256;  // beyond all letters
  std::vector<const Option*> options_;
  std::vector<std::string> names_;
  std::string letters_;
  std::vector<struct option> rows_;
};

}  // namespace

std::variant<TypedWords, WrongWord> read_words(const Command& command, std::span<const char* const> given) {
  constexpr int kOperand = 1, kUnknown = '?', kLacksValue = ':';
  const Words words(given);
  const OptionTable table(command);
  const auto wrong = [](WrongWord::Kind kind, const Option& option) {
    return WrongWord{kind, "--" + std::string(option.name)};
  };
  TypedWords typed;
  opterr = 0;
  optind = 0;  // begins anew, also in its own notes
  while (true) {
    // getopt_long() takes abbreviations.
    const std::string_view next = words.at(std::max(optind, 1));
    if (is_long(next) && table.named(name_in(next)) == nullptr)
      return WrongWord{WrongWord::Kind::unknown_option, std::string(next)};
    const int code = getopt_long(words.count(), words.pointers(), table.letters(), table.rows(), nullptr);
    if (code == -1) break;
    if (code == kOperand) {
      typed.operands.emplace_back(optarg);
      continue;
    }
    const Option* const about = table.find(code == kUnknown || code == kLacksValue ? optopt : code);
    if (code == kLacksValue && about != nullptr) return wrong(WrongWord::Kind::lacks_value, *about);
    // Its long form, with a value.
    if (code == kUnknown && about != nullptr) return wrong(WrongWord::Kind::takes_no_value, *about);
    if (about == nullptr) return WrongWord{WrongWord::Kind::unknown_option, std::string(next)};
    std::string& name = typed.order.emplace_back(about->name);
    if (about->value.empty()) {
      typed.values[name].emplace_back();
      continue;
    }
    const std::string_view value = optarg;
    const bool is_own_word = optarg == words.at(optind - 1).data();
    if (is_own_word ? is_option(command, value) : value.empty()) return wrong(WrongWord::Kind::lacks_value, *about);
    typed.values[name].emplace_back(value);
  }
  for (int i = optind; i < words.count(); ++i) typed.operands.emplace_back(words.at(i));
  return typed;
}

}  // namespace loopsim::cli
