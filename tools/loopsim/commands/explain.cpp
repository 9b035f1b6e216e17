// loopsim explain: explains in sentences why callbacks ran when they did.

#include "loopsim/explain.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"
#include "loopsim/time_text.hpp"

#include "tools/loopsim/commands/explain_text.hpp"
#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/io/played_file.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/machine_options.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"

namespace loopsim::cli {
namespace {

constexpr int kWidth = 100;  // columns, if the output is not a terminal
constexpr std::size_t kMostListed = 5;
constexpr std::size_t kMostLabels = 20;

// ---- finding a callback by name -------------------------------------------------------------------------------------

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

// The number after the last `mark` in a word: 2 for "timer#2" and '#'. Empty if there is none.
std::optional<std::uint64_t> number_behind(std::string_view word, char mark) {
  const std::size_t at = word.rfind(mark);
  return at == std::string_view::npos ? std::nullopt : parse_number(word.substr(at + 1));
}

class Finder {
 public:
  Finder(const Explainer& explainer, const Arguments& arguments) : explainer_(explainer), arguments_(arguments) {}

  // The callback that a word names. Empty if it names none or several; the error has been reported.
  std::optional<std::uint64_t> find(const std::string& word) {
    std::vector<Explanation> found =
        matching([&](const Explanation& one) { return one.label == word || one.name == word; });
    const std::optional<std::uint64_t> number = number_behind(word, '#');
    const std::string_view name = std::string_view(word).substr(0, word.rfind('#'));
    if (found.empty() && number && !name.empty()) {  // NAME#N: the Nth callback of that name
      found = matching([&](const Explanation& one) { return one.label == name; });
      if (*number >= 1 && *number <= found.size()) return found[*number - 1].callback;
      if (!found.empty()) return mistake(word, fmt::format("{} is {}", name, times(found.size())), "");
    }
    const std::optional<std::uint64_t> id =
        parse_number(word.starts_with('#') ? std::string_view(word).substr(1) : word);
    if (found.empty() && id) found = matching([&](const Explanation& one) { return one.callback == *id; });
    const std::optional<std::uint64_t> line = number_behind(word, '@');
    if (found.empty() && line) {  // "timer@12", "@12"; "then@12" for "then@12:5" and "then@12:41"
      const std::string_view before = std::string_view(word).substr(0, word.rfind('@'));
      const auto fits = [&](const Explanation& one) {
        return before.empty() || one.label == before || one.label.starts_with(word + ":");
      };
      found = matching([&](const Explanation& one) {
        const bool is_there = one.line == *line || one.label.find(fmt::format("@{}:", *line)) != std::string::npos;
        return is_there && fits(one);
      });
      if (found.empty())  // none was asked for there
        found = matching([&](const Explanation& one) { return one.function_line == *line && fits(one); });
    }
    if (found.empty() && word.starts_with('@'))  // "@12:41"
      found = matching([&](const Explanation& one) { return one.label.ends_with(word); });
    if (found.empty()) return unknown(word);
    if (found.size() > 1) return ambiguous(word, found);
    return found.front().callback;
  }

 private:
  template <typename Fits>
  std::vector<Explanation> matching(const Fits& fits) const {
    std::vector<Explanation> found;
    for (const std::uint64_t id : explainer_.callbacks()) {
      Explanation outline = explainer_.outline(id);
      if (fits(outline)) found.push_back(std::move(outline));
    }
    return found;
  }

  static std::string times(std::size_t count) {
    return count == 1 ? "one callback" : fmt::format("{} callbacks", count);
  }

  std::nullopt_t mistake(const std::string& word, const std::string& what, const std::string& suggestion) const {
    report_usage_error(
        {fmt::format("no callback is called \"{}\"{}{}", word, what.empty() ? "" : "; ", what), suggestion},
        &arguments_.command());
    return std::nullopt;
  }

  std::nullopt_t unknown(const std::string& word) const {
    std::set<std::string> labels;
    for (const std::uint64_t id : explainer_.callbacks()) labels.insert(explainer_.outline(id).label);
    std::string suggestion = nearest(word, {labels.begin(), labels.end()});
    const bool is_number = word.starts_with('#') || word.find('@') != std::string::npos || parse_number(word);
    if (!suggestion.empty() || is_number) return mistake(word, "", suggestion);
    std::vector<std::string> listed(labels.begin(), labels.end());
    const std::size_t left_out = listed.size() > kMostLabels ? listed.size() - kMostLabels : 0;
    listed.resize(listed.size() - left_out);
    return mistake(word,
                   fmt::format("there {} {}{}", labels.size() == 1 ? "is" : "are", fmt::join(listed, ", "),
                               left_out == 0 ? "" : fmt::format(" and {} more", left_out)),
                   "");
  }

  std::nullopt_t ambiguous(const std::string& word, const std::vector<Explanation>& found) const {
    std::string listed;
    for (std::size_t i = 0; i < std::min(found.size(), kMostListed); ++i) {
      const std::string when = found[i].begin == 0 ? "never ran" : "ran at " + ms_text(found[i].begun_at);
      const std::string name = found[i].label == word ? "" : found[i].label + " ";
      listed += fmt::format("{}{}#{} ({})", i == 0 ? "" : ", ", name, found[i].callback, when);
    }
    if (found.size() > kMostListed) listed += fmt::format(" and {} more", found.size() - kMostListed);
    const bool by_label = found.front().label == word;
    const bool by_place = !by_label && found.front().label.starts_with(word + ":");
    const std::string example = by_label   ? fmt::format("\"{}#1\" for the first, or ", word)
                                : by_place ? fmt::format("\"{}\" or ", found.front().label)
                                           : "";
    report_usage_error({fmt::format("\"{}\" is {}: {}; say which, {}\"#{}\"", word, times(found.size()), listed,
                                    example, found.front().callback),
                        ""},
                       &arguments_.command());
    return std::nullopt;
  }

  const Explainer& explainer_;
  const Arguments& arguments_;
};

// ---- the command --------------------------------------------------------------------------------------------------------------------

ExitStatus run_explain(const Arguments& arguments) {
  const std::string& path = arguments.operands().front();
  const std::string place = arguments.value_or("output", "-");
  if (overwrites_input(path, place)) return ExitStatus::bad_input;
  const bool is_json = arguments.value_or("format", "text") == "json";
  const Language language = is_json ? Language::english : report_language(arguments);
  RacesResult races;
  const std::unique_ptr<Explainer> explainer = make_explainer(&races, language);
  StoryNotes notes(language);
  const std::array<TraceSink*, 2> sinks = {explainer.get(), &notes};
  const std::optional<RunSummary> summary = play_file(arguments, path, sinks, &races);
  if (!summary) return ExitStatus::bad_input;

  std::optional<std::uint64_t> callback;
  if (arguments.operands().size() > 1) {
    callback = Finder(*explainer, arguments).find(arguments.operands()[1]);
    if (!callback) return ExitStatus::bad_input;
  }
  OutputFile output(place);
  const ExplainOptions options = {.color = wants_color(output), .width = output.columns(kWidth), .language = language};
  if (is_json) {
    if (callback) {
      const Explanation one = explainer->explanation(*callback);
      output.write(explanations_json(std::span(&one, 1)));
    } else {
      write_explanations_json(*explainer, output);
    }
    output.write("\n");
  } else if (callback) {
    report_one(*explainer, *callback, notes, options, output);
  } else {
    report_story(*explainer, notes, options, output);
  }
  if (!output.finish()) return ExitStatus::output_failed;
  return summary->limit == LimitKind::none ? ExitStatus::ok : ExitStatus::limit;
}

// ---- command line ---------------------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {
    Operand{"FILE",
            "a scenario (JSON), a JavaScript program (.js, .cjs, .mjs) or a trace (run --format jsonl); - for standard "
            "input (with --js a program)"},
    Operand{"CALLBACK",
            "the callback: its name, NAME#2 (the second of that name), setTimeout@5 or @5 (by line), then@5:41 (and "
            "column), or #7 (by id)"},
};

constexpr std::array kOwnOptions = {
    Option{"format", 'f', "text|json", false, "sentences to read (the default), or JSON"},
};

constexpr std::array<std::span<const Option>, 9> kOptions = {kScenarioOptions, kProgramOptions, kMachineOptions,
                                                             kSeedOptions,     kOwnOptions,     kLanguageOptions,
                                                             kOutputOptions,   kWarningOptions, kCommonOptions};

}  // namespace

const Command kExplainCommand = {
    .name = "explain",
    .usage = "FILE [CALLBACK] [OPTION]... [-- ARGUMENT...]",
    .summary = "Tell why callbacks ran when they did, in plain sentences.",
    .details =
        "Without CALLBACK it explains the whole run. Each sentence names the file and function of Node or libuv that\n"
        "implements the rule it rests on. In a shell, #7 needs quotes: '#7'.\n",
    .operands = kOperands,
    .least_operands = 1,
    .most_operands = 2,
    .options = kOptions,
    .run = run_explain,
    .is_confined = true,
    .takes_arguments = true,
};

}  // namespace loopsim::cli
