// For bash 4 and later, with or without the package bash-completion.

#include <iterator>

#include <fmt/format.h>

#include "tools/loopsim/shell/completion_scripts.hpp"
#include "tools/loopsim/shell/completion_words.hpp"

namespace loopsim::cli {
namespace {

// Bash splits "a=b" into three words. The script joins them again in `words`, and removes everything up to the last "="
// from the candidates, because bash replaces only the part after it.
constexpr std::string_view kHead = R"sh(# bash completion for loopsim. Made by `loopsim completion bash`.

_loopsim_words() {  # VALUE WORD...: those that go on from VALUE
    local value=$1 word
    shift
    for word in "$@"; do
        [[ $word == "$value"* ]] && COMPREPLY+=("$word")
    done
}

_loopsim_files() {  # VALUE any|json|folders: files and folders; before them nothing is taken away
    local value=$1 file
    compopt -o filenames 2>/dev/null
    while IFS= read -r file; do
        case $2 in
            json) [[ -d $file || $file == *.json || $file == *.jsonl || $file == *.@(js|cjs|mjs) ]] || continue ;;
            folders) [[ -d $file ]] || continue ;;
        esac
        COMPREPLY+=("$file")
    done < <(compgen -f -- "$value")
}

_loopsim_formats() {  # VALUE must|may WORD...: a word, or a word, "=" and a file
    local value=$1 must=$2 file
    shift 2
    if [[ $value == *=* ]]; then
        _loopsim_files "${value#*=}" any
        prefix+=${value%%=*}=
    elif [[ $must == must ]]; then
        compopt -o nospace 2>/dev/null
        _loopsim_words "$value" "${@/%/=}"
    else
        _loopsim_words "$value" "$@"
    fi
}

_loopsim() {
    COMPREPLY=()
    local words=() i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        if ((i > 1)) && [[ ${COMP_WORDS[i]} == =* || ${COMP_WORDS[i - 1]} == *= ]] &&
            ! { ((i == COMP_CWORD)) && [[ -z ${COMP_WORDS[i]} && ${COMP_LINE:COMP_POINT-1:1} == [[:space:]] ]]; }; then
            words[${#words[@]}-1]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}")
        fi
    done
    local current=${words[${#words[@]}-1]} previous= command=${words[1]} prefix= option= value=
    ((${#words[@]} > 2)) && previous=${words[${#words[@]}-2]}

    if ((${#words[@]} == 2)); then
)sh";

constexpr std::string_view kTail = R"sh(
    # Bash replaces only what stands behind the last "=".
    if [[ -n $prefix && $COMP_WORDBREAKS != *=* ]]; then
        COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
    elif [[ -z $prefix && $current == *=* && $COMP_WORDBREAKS == *=* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${current%=*}="}")
    fi
}

complete -F _loopsim loopsim
)sh";

std::string_view name_of(Candidates::Files files) {
  switch (files) {
    case Candidates::Files::none:
    case Candidates::Files::any: return "any";
    case Candidates::Files::json: return "json";
    case Candidates::Files::folders: return "folders";
  }
  return "any";
}

// Shell commands that offer the candidates for "$VALUE".
std::string offers(const Candidates& candidates, std::string_view value) {
  if (candidates.may_name_file) {
    return fmt::format("_loopsim_formats \"${}\" {} {}", value, candidates.must_name_file ? "must" : "may",
                       joined(candidates.words));
  }
  std::string text;
  if (!candidates.words.empty()) text = fmt::format("_loopsim_words \"${}\" {}", value, joined(candidates.words));
  if (candidates.files != Candidates::Files::none) {
    text += fmt::format("{}_loopsim_files \"${}\" {}", text.empty() ? "" : "; ", value, name_of(candidates.files));
  }
  return text.empty() ? ":" : text;
}

void add_command(std::string& text, const Command& command) {
  std::vector<std::string> options;
  std::string taking;  // pattern of the options that take a value
  std::string values;
  for (const std::span<const Option> group : command.options) {
    for (const Option& option : group) {
      options.push_back(fmt::format("--{}", option.name));
      if (option.letter != 0) options.push_back(fmt::format("-{}", option.letter));
      if (option.value.empty()) continue;
      std::string pattern = fmt::format("--{}", option.name);
      if (option.letter != 0) pattern += fmt::format("|-{}", option.letter);
      taking.append(taking.empty() ? "" : "|").append(pattern);
      values += fmt::format("                {}) {} ;;\n", pattern, offers(candidates_of(option), "value"));
    }
  }
  fmt::format_to(std::back_inserter(text), "        {})\n", command.name);
  if (!taking.empty()) {
    fmt::format_to(
        std::back_inserter(text),
        "            case $previous in {0}) option=$previous value=$current ;; esac\n"
        "            case $current in --*=*) option=${{current%%=*}} value=${{current#*=}} prefix=$option= ;; esac\n"
        "            case $option in\n{1}            esac\n",
        taking, values);
  }
  fmt::format_to(
      std::back_inserter(text),
      "            if [[ -z $option && $current == -* ]]; then\n                _loopsim_words \"$current\" {}\n",
      joined(options));
  const std::vector<Candidates> operands = candidates_of_operands(command);
  if (!operands.empty()) {
    fmt::format_to(std::back_inserter(text),
                   "            elif [[ -z $option ]]; then\n"
                   "                local operands=0\n"
                   "                for ((i = 2; i < ${{#words[@]}} - 1; i++)); do\n"
                   "                    case ${{words[i]}} in {0}-?*) ;; *) ((operands++)) ;; esac\n"
                   "                done\n"
                   "                case $operands in\n",
                   taking.empty() ? "" : taking + ") ((i++)) ;; ");
    const bool has_more = command.most_operands == Command::kAnyNumber;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool is_last = i + 1 == operands.size() && has_more;
      fmt::format_to(std::back_inserter(text), "                    {}) {} ;;\n", is_last ? "*" : std::to_string(i),
                     offers(operands[i], "current"));
    }
    fmt::format_to(std::back_inserter(text), "                esac\n");
  }
  fmt::format_to(std::back_inserter(text), "            fi\n            ;;\n");
}

}  // namespace

std::string bash_completion() {
  std::string text(kHead);
  std::vector<std::string> names;
  for (const Command* command : commands()) names.emplace_back(command->name);
  fmt::format_to(std::back_inserter(text), "        _loopsim_words \"$current\" {} help --help -h --version\n",
                 joined(names));
  fmt::format_to(std::back_inserter(text), "        return\n    fi\n    case $command in\n");
  fmt::format_to(std::back_inserter(text),
                 "        help) ((${{#words[@]}} == 3)) && _loopsim_words \"$current\" {} ;;\n", joined(names));
  for (const Command* command : commands()) add_command(text, *command);
  text += "    esac\n";
  text += kTail;
  return text;
}

}  // namespace loopsim::cli
