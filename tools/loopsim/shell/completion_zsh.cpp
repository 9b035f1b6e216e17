// For zsh's completion system (compinit), as a function to be loaded from $fpath.

#include <iterator>

#include <fmt/format.h>

#include "tools/loopsim/shell/completion_scripts.hpp"
#include "tools/loopsim/shell/completion_words.hpp"

namespace loopsim::cli {
namespace {

constexpr std::string_view kHead = R"sh(#compdef loopsim
# zsh completion for loopsim. Made by `loopsim completion zsh`.

_loopsim_formats() {  # must|may WORD...: a word, or a word, "=" and a file
    local must=$1
    shift
    if compset -P 1 '*='; then
        _files
    elif [[ $must == must ]]; then
        compadd -S = -- "$@"
    else
        compadd -- "$@"
    fi
}

_loopsim_scenarios() { _files -g '*.(json|jsonl|js|cjs|mjs)(-.)' }

)sh";

constexpr std::string_view kTail = R"sh(
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _loopsim "$@"
else
    compdef _loopsim loopsim
fi
)sh";

// Escapes a text for the brackets of an _arguments spec within single quotes.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

// The part of a spec after the message: ":ACTION".
std::string action_of(const Candidates& candidates) {
  if (candidates.may_name_file) {
    return fmt::format(":_loopsim_formats {} {}", candidates.must_name_file ? "must" : "may", joined(candidates.words));
  }
  if (!candidates.words.empty() && candidates.files != Candidates::Files::none) {
    return fmt::format(":_alternative \"words\\:word\\:({})\" \"files\\:file\\:_files\"", joined(candidates.words));
  }
  if (!candidates.words.empty()) return fmt::format(":({})", joined(candidates.words));
  switch (candidates.files) {
    case Candidates::Files::none: return ": ";
    case Candidates::Files::any: return ":_files";
    case Candidates::Files::json: return ":_loopsim_scenarios";
    case Candidates::Files::folders: return ":_files -/";
  }
  return {};
}

void add_command(std::string& text, const Command& command) {
  fmt::format_to(std::back_inserter(text), "                {})\n                    _arguments -s", command.name);
  for (const std::span<const Option> group : command.options) {
    for (const Option& option : group) {
      const std::string_view equals = option.value.empty() ? "" : "=";
      const std::string_view plus = option.value.empty() ? "" : "+";
      std::string names = fmt::format("--{}{}", option.name, equals);
      if (option.letter != 0) names = fmt::format("{{-{}{},--{}{}}}", option.letter, plus, option.name, equals);
      std::string excludes = option.repeated ? "*" : fmt::format("--{}", option.name);
      if (!option.repeated) {
        if (option.letter != 0) excludes = fmt::format("-{} {}", option.letter, excludes);
        excludes = "(" + excludes + ")";
      }
      std::string spec = fmt::format("[{}]", zsh_text(option.help));
      if (!option.value.empty()) spec += fmt::format(":{}{}", zsh_text(option.value), action_of(candidates_of(option)));
      fmt::format_to(std::back_inserter(text), " \\\n                        '{}'{}'{}'", excludes, names, spec);
    }
  }
  const std::vector<Candidates> operands = candidates_of_operands(command);
  const bool has_more = command.most_operands == Command::kAnyNumber;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::string place = i + 1 == operands.size() && has_more ? "*" : std::to_string(i + 1);
    fmt::format_to(std::back_inserter(text), " \\\n                        '{}:{}{}'", place,
                   zsh_text(command.operands[i].name), action_of(operands[i]));
  }
  fmt::format_to(std::back_inserter(text), "\n                    ;;\n");
}

}  // namespace

std::string zsh_completion() {
  std::string text(kHead);
  text +=
      "_loopsim() {\n"
      "    local curcontext=$curcontext state line\n"
      "    typeset -A opt_args\n"
      "    local -a commands=(\n";
  for (const Command* command : commands()) {
    fmt::format_to(std::back_inserter(text), "        '{}:{}'\n", command->name, zsh_text(command->summary));
  }
  text +=
      "        'help:Tell about a command.'\n"
      "    )\n"
      "    _arguments -C '(- *)'{-h,--help}'[print the help]' '(- *)--version[print the version]' \\\n"
      "        '1: :->command' '*:: :->arguments'\n"
      "    case $state in\n"
      "        command) _describe command commands ;;\n"
      "        arguments)\n"
      "            curcontext=${curcontext%:*:*}:loopsim-$words[1]:\n"
      "            case $words[1] in\n"
      "                help) _describe command commands ;;\n";
  for (const Command* command : commands()) add_command(text, *command);
  text +=
      "            esac\n"
      "            ;;\n"
      "    esac\n"
      "}\n";
  text += kTail;
  return text;
}

}  // namespace loopsim::cli
