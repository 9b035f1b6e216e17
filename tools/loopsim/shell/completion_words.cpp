#include "tools/loopsim/shell/completion_words.hpp"

#include <algorithm>
#include <string_view>

#include "loopsim/profile.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/study.hpp"

#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/trace_target.hpp"

namespace loopsim::cli {
namespace {

std::vector<std::string> strings_of(const std::vector<std::string_view>& words) { return {words.begin(), words.end()}; }

std::vector<std::string> runtimes() {
  std::vector<std::string> names;
  for (const Family family : {Family::node, Family::libuv, Family::browser, Family::io}) {
    for (const Profile& profile : runtimes_of(family)) names.emplace_back(profile.name);
  }
  return names;
}

// The metrics that every scenario has; the others begin with the name of a callback or client.
std::vector<std::string> metrics() {
  std::vector<std::string> names;
  for (const Column& column : metric_columns({})) names.push_back(column.name);
  for (const Column& column : metric_columns({.callbacks = {}, .io = true})) {
    if (std::ranges::find(names, column.name) == names.end()) names.push_back(column.name);
  }
  return names;
}

// The named machines, each behind `before`.
std::vector<std::string> machines(const std::string& before) {
  std::vector<std::string> words;
  for (const MachineSpec& machine : machine_presets()) words.push_back(before + machine.name);
  return words;
}

// "[scenarios|verbs]" gives the two words, "FILE|DIR..." scenario files and folders.
Candidates candidates_of_usage(std::string_view word) {
  if (word.starts_with('[')) word.remove_prefix(1);
  if (word.ends_with(']')) word.remove_suffix(1);
  if (word.ends_with("...")) word.remove_suffix(3);
  Candidates candidates;
  for (const std::string_view one : allowed_words(word)) {
    if (one == "FILE") {
      candidates.files = Candidates::Files::json;
    } else if (one == "SHARD") {
      candidates.files = Candidates::Files::any;
    } else if (one == "DIR") {
      if (candidates.files == Candidates::Files::none) candidates.files = Candidates::Files::folders;
    } else if (one.front() >= 'a' && one.front() <= 'z') {
      candidates.words.emplace_back(one);
    }
  }
  return candidates;
}

}  // namespace

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

Candidates candidates_of(const Option& option) {
  Candidates candidates;
  const std::string_view value = option.value;
  if (value.empty()) return candidates;
  if (value.find('|') != std::string_view::npos) {
    candidates.words = strings_of(allowed_words(value));
    candidates.may_name_file = value.ends_with("[=FILE]");
  } else if (value == "FORMAT=FILE") {
    candidates.words = strings_of(allowed_words(kTraceFormats));
    candidates.may_name_file = candidates.must_name_file = true;
  } else if (value.starts_with("FILE")) {
    candidates.files = Candidates::Files::any;
  } else if (option.name == "runtime") {
    candidates.words = runtimes();
  } else if (option.name == "metric") {
    candidates.words = metrics();
  } else if (option.name == "machine") {
    candidates.words = machines("");
  } else if (option.name.starts_with("set")) {
    candidates.words = machines("/machine=");
  }
  return candidates;
}

std::vector<Candidates> candidates_of_operands(const Command& command) {
  std::vector<Candidates> operands;
  std::string_view usage = command.usage;
  while (!usage.empty() && operands.size() < command.operands.size()) {
    const std::size_t space = std::min(usage.find(' '), usage.size());
    const std::string_view word = usage.substr(0, space);
    usage.remove_prefix(std::min(space + 1, usage.size()));
    if (word.find("OPTION") != std::string_view::npos) continue;
    operands.push_back(candidates_of_usage(word));
  }
  return operands;
}

}  // namespace loopsim::cli
