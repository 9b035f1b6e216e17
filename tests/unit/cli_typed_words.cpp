// The words of a command line: examples worked out by hand, and the two implementations against each other on random lines of
// every command, with Boost.Program_options as the judge of getopt_long().
#include <cstddef>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tools/loopsim/line/command.hpp"
#include "tools/loopsim/line/typed_words.hpp"

namespace loopsim::cli {
std::variant<TypedWords, WrongWord> read_words_in_webassembly(const Command& command, std::span<const char* const> words);
}  // namespace loopsim::cli
#define read_words read_words_in_webassembly
#include "tools/loopsim/wasm/typed_words.cpp"  // NOLINT(bugprone-suspicious-include): under another name
#undef read_words

using namespace loopsim::cli;

namespace {

using Read = std::variant<TypedWords, WrongWord>;

std::string told(const Read& read) {
  if (const auto* const wrong = std::get_if<WrongWord>(&read))
    return fmt::format("wrong {}: {}", static_cast<int>(wrong->kind), wrong->option);
  const TypedWords& typed = std::get<TypedWords>(read);
  std::string text = fmt::format("order [{}] operands [{}]", fmt::join(typed.order, "|"), fmt::join(typed.operands, "|"));
  for (const auto& [name, values] : typed.values) text += fmt::format(" {}=[{}]", name, fmt::join(values, "|"));
  return text;
}

template <typename Reader>
std::string told_by(Reader read, const Command& command, const std::vector<std::string>& line) {
  std::vector<const char*> words;
  words.reserve(line.size());
  for (const std::string& word : line) words.push_back(word.c_str());
  return told(read(command, words));
}

void check(const Command& command, const std::vector<std::string>& line, const std::string& expected) {
  CAPTURE(line);
  CHECK(told_by(read_words, command, line) == expected);
  CHECK(told_by(read_words_in_webassembly, command, line) == expected);
}

// A word that may be anything: options as they are, cut, with values; letters in a row; operands.
std::string random_word(const std::vector<const Option*>& options, std::mt19937& random) {
  const auto draw = [&random](std::size_t most) { return random() % most; };
  const Option& option = *options[draw(options.size())];
  std::string name(option.name);
  switch (draw(12)) {
    case 0: return "--" + name + "=" + (draw(4) == 0 ? "" : "v");
    case 1: return "--" + name.substr(0, 1 + draw(name.size()));
    case 2: return option.letter == 0 ? "-Q" : std::string("-") + option.letter;
    case 3: return option.letter == 0 ? "-" : std::string("-") + option.letter + "tail";
    case 4: return "file.json";
    case 5: return draw(3) == 0 ? "--" : "-";
    case 6: return draw(2) == 0 ? "" : "-1";
    case 7: return "a=b";
    case 8: return draw(3) == 0 ? "--unknown=x" : "x y";
    default: return "--" + name;
  }
}

}  // namespace

TEST_CASE("words of a command line", "[cli]") {
  const Command& run = kRunCommand;
  check(run, {}, "order [] operands []");
  check(run, {"a.json", "--seed", "7", "-q", "b.json"}, "order [seed|quiet] operands [a.json|b.json] quiet=[] seed=[7]");
  check(run, {"--seed=7", "--", "--seed=8", "-q"}, "order [seed] operands [--seed=8|-q] seed=[7]");
  check(run, {"-fcsv", "-f", "jsonl"}, "order [format|format] operands [] format=[csv|jsonl]");
  check(run, {"-"}, "order [] operands [-]");
  check(run, {"--see", "7"}, "wrong 0: --see");
  check(run, {"-Z"}, "wrong 0: -Z");
  check(run, {"--seed"}, "wrong 1: --seed");
  check(run, {"--seed", "--quiet"}, "wrong 1: --seed");
  check(run, {"--seed", "-q"}, "wrong 1: --seed");
  check(run, {"-q", "-q"}, "order [quiet|quiet] operands [] quiet=[|]");
  check(run, {"--seed="}, "wrong 1: --seed");
  check(run, {"--quiet=yes"}, "wrong 2: --quiet");
}

TEST_CASE("both readers of words agree on random lines", "[cli][property]") {
  std::mt19937 random(19);
  for (const Command* const command : commands()) {
    std::vector<const Option*> options;
    for_each_option(*command, [&options](const Option& option) { options.push_back(&option); });
    for (int i = 0; i < 3000; ++i) {
      std::vector<std::string> line(random() % 6);
      for (std::string& word : line) word = random_word(options, random);
      CAPTURE(command->name, line);
      const std::string judge = told_by(read_words, *command, line);
      const std::string told = told_by(read_words_in_webassembly, *command, line);
      if (judge.starts_with("wrong"))  // which one, of several
        CHECK(told.starts_with("wrong"));
      else
        CHECK(told == judge);
    }
  }
}
