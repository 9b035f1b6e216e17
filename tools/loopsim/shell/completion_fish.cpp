// For fish 3.

#include <iterator>

#include <fmt/format.h>

#include "tools/loopsim/shell/completion_scripts.hpp"
#include "tools/loopsim/shell/completion_words.hpp"

namespace loopsim::cli {
namespace {

constexpr std::string_view kHead = R"sh(# fish completion for loopsim. Made by `loopsim completion fish`.

function __loopsim_has_no_command
    test (count (commandline -opc)) -eq 1
end

function __loopsim_runs
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

# WORD...: words with "=" behind them, and behind that files
function __loopsim_formats
    set -l token (commandline -ct | string replace -r -- '^(--[a-z-]+=|-[a-z])' '')
    if string match -q -- '*=*' $token
        set -l word (string replace -r -- '=.*' '' $token)
        for file in (__fish_complete_path (string replace -r -- '^[^=]*=' '' $token) file | string replace -r -- '\t.*' '')
            echo $word=$file
        end
    else
        printf '%s=\n' $argv
    end
end

function __loopsim_scenarios
    for file in (__fish_complete_path (commandline -ct) file | string replace -r -- '\t.*' '')
        string match -qr -- '(/|\.jsonl?|\.[cm]?js)$' $file; and echo $file
    end
end

complete -c loopsim -f
complete -c loopsim -n __loopsim_has_no_command -s h -l help -d 'print the help'
complete -c loopsim -n __loopsim_has_no_command -l version -d 'print the version'
complete -c loopsim -n __loopsim_has_no_command -a help -d 'Tell about a command.'
)sh";

std::string fish_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

// The argument of `complete -a`.
std::string list_of(const Candidates& candidates) {
  std::string words = joined(candidates.words);
  if (candidates.must_name_file) return fmt::format("(__loopsim_formats {})", words);
  if (candidates.may_name_file) return fmt::format("{0} (__loopsim_formats {0})", words);
  switch (candidates.files) {
    case Candidates::Files::none: break;
    case Candidates::Files::any: words += " (__fish_complete_path (commandline -ct))"; break;
    case Candidates::Files::json: words += " (__loopsim_scenarios)"; break;
    case Candidates::Files::folders: words += " (__fish_complete_directories (commandline -ct))"; break;
  }
  return words;
}

void add_command(std::string& text, const Command& command) {
  fmt::format_to(std::back_inserter(text), "\ncomplete -c loopsim -n __loopsim_has_no_command -a {} -d '{}'\n",
                 command.name, fish_text(command.summary));
  const std::string condition = fmt::format("complete -c loopsim -n '__loopsim_runs {}'", command.name);
  for (const std::span<const Option> group : command.options) {
    for (const Option& option : group) {
      text += condition;
      if (option.letter != 0) fmt::format_to(std::back_inserter(text), " -s {}", option.letter);
      fmt::format_to(std::back_inserter(text), " -l {}", option.name);
      const Candidates candidates = candidates_of(option);
      if (!option.value.empty()) text += candidates.files == Candidates::Files::any ? " -r -F" : " -x";
      if (!candidates.words.empty()) fmt::format_to(std::back_inserter(text), " -a '{}'", list_of(candidates));
      fmt::format_to(std::back_inserter(text), " -d '{}'\n", fish_text(option.help));
    }
  }
  for (const Candidates& candidates : candidates_of_operands(command)) {
    if (!candidates.is_nothing())
      fmt::format_to(std::back_inserter(text), "{} -a '{}'\n", condition, list_of(candidates));
  }
}

}  // namespace

std::string fish_completion() {
  std::string text(kHead);
  std::vector<std::string> names;
  for (const Command* command : commands()) names.emplace_back(command->name);
  fmt::format_to(std::back_inserter(text), "complete -c loopsim -n '__loopsim_runs help' -a '{}'\n", joined(names));
  for (const Command* command : commands()) add_command(text, *command);
  return text;
}

}  // namespace loopsim::cli
