// loopsim list: lists scenarios, verbs, profiles, machines, known differences or metrics, one line each.

#include <algorithm>
#include <array>
#include <utility>

#include "loopsim/known_differences.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/study.hpp"
#include "loopsim/suggest.hpp"
#include "loopsim/units.hpp"
#include "loopsim/unsupported.hpp"
#include "loopsim/verbs.hpp"

#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/io/scenario_files.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"
#include "tools/loopsim/line/paths.hpp"

namespace loopsim::cli {
namespace {

using Row = std::vector<std::string>;

// Each column is as wide as its widest entry; two spaces separate columns.
std::string format_table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i + 1 < row.size()) text.append(widths[i] - row[i].size() + 2, ' ');
    }
    text += "\n";
  }
  return text;
}

ExitStatus print(const std::vector<Row>& rows) {
  return write_output("-", format_table(rows)) ? ExitStatus::ok : ExitStatus::output_failed;
}

ExitStatus list_profiles() {
  std::vector<Row> rows;
  for (const Profile& profile : profiles()) {
    const bool is_default = &profile == &default_profile();
    rows.push_back({std::string(profile.name), "Node " + std::string(profile.version),
                    "libuv " + std::string(profile.libuv.version),
                    std::string(profile.note) + (is_default ? " (the default)" : "")});
  }
  for (const Profile& profile : libuv_runtimes())
    rows.push_back({std::string(profile.name), "no Node", "libuv " + std::string(profile.libuv.version),
                    std::string(profile.note)});
  for (const Profile& profile : browsers()) {
    const bool is_firefox = profile.name.starts_with("firefox");
    rows.push_back({std::string(profile.name), (is_firefox ? "Firefox " : "Chrome ") + std::string(profile.version),
                    "no libuv", std::string(profile.note)});
  }
  for (const Profile& profile : io_runtimes())
    rows.push_back({std::string(profile.name), "no Node", "no libuv", std::string(profile.note)});
  return print(rows);
}

// The usual value of a duration that is drawn: its median, for those that the presets have, to the microsecond.
std::string usual(const Duration& duration) {
  if (duration.kind == Duration::Kind::fixed) return to_text(duration.a);
  return "about " + to_text((duration.a + kMicrosecond / 2) / kMicrosecond * kMicrosecond);
}

std::string cores_of(const MachineSpec& machine) {
  return machine.cores == 0 ? "a core per thread" : std::to_string(machine.cores) + " cores";
}

std::string costs_of(const MachineSpec& machine) {
  if (costs_nothing(machine)) return "no costs";
  return "start-up " + usual(machine.startup) + ", wake-up " + usual(machine.wakeup) + ", callback " +
         usual(machine.overhead.callback);
}

ExitStatus list_machines() {
  std::vector<Row> rows;
  for (const MachineSpec& machine : machine_presets())
    rows.push_back({machine.name, cores_of(machine), costs_of(machine), std::string(machine_note(machine.name))});
  return print(rows);
}

ExitStatus list_verbs() {
  std::vector<Row> rows;
  for (const VerbInfo& verb : verb_table())
    rows.push_back({std::string(verb.name), std::string(verb.group), std::string(verb.help)});
  return print(rows);
}

std::string versions_of(const KnownDifference& difference) {
  if (difference.first_major == 0) return "all";
  const std::string first = "node-" + std::to_string(difference.first_major);
  const std::string last = "node-" + std::to_string(difference.last_major);
  return first == last ? first : first + ".." + last;
}

ExitStatus list_differences() {
  std::vector<Row> rows;
  for (const KnownDifference& difference : known_differences()) {
    rows.push_back({std::string(difference.id), std::string(to_string(difference.kind)), versions_of(difference),
                    difference.warns ? "warns" : "-", std::string(difference.what)});
  }
  return print(rows);
}

ExitStatus list_unsupported() {
  std::vector<Row> rows;
  for (const UnsupportedFeature& feature : unsupported_features())
    rows.push_back({std::string(feature.name), std::string(feature.instead)});
  return print(rows);
}

ExitStatus list_metrics() {
  std::vector<Row> rows;
  MetricsOptions options = {.callbacks = {"NAME"}, .clients = {"CLIENT"}, .output = true, .order = true, .page = true};
  options.distributions = distribution_names(options);
  for (const Column& column : metric_columns(options)) {
    rows.push_back({column.name, column.unit.empty() ? "-" : column.unit, column.help});
  }
  for (const Column& column : metric_columns({.callbacks = {"NAME"}, .io = true})) {
    const bool is_told = std::ranges::any_of(rows, [&](const Row& row) { return row[0] == column.name; });
    if (!is_told) rows.push_back({column.name, column.unit.empty() ? "-" : column.unit, "runtime io: " + column.help});
  }
  return print(rows);
}

ExitStatus list_scenarios(const std::string& folder) {
  const auto files = find_scenarios(folder);
  if (!files) return ExitStatus::bad_input;
  if (files->empty()) {
    report_error("there are no scenarios in " + folder);
    return ExitStatus::bad_input;
  }
  std::vector<Row> rows;
  bool all_read = true;
  for (const std::string& file : *files) {
    std::optional<std::string> text = read_input(file);
    std::string title = "(cannot be read)";
    if (text) {
      const ReadResult result = read_scenario(*std::move(text), file);
      title = result.scenario ? result.scenario->title : "(has errors: see loopsim check)";
      all_read = all_read && result.scenario.has_value();
    } else {
      all_read = false;
    }
    rows.push_back({file, title});
  }
  const ExitStatus printed = print(rows);
  if (printed != ExitStatus::ok) return printed;
  return all_read ? ExitStatus::ok : ExitStatus::bad_input;
}

ExitStatus list_default_scenarios() {
  const std::optional<std::string> folder = default_scenario_folder();
  if (folder) return list_scenarios(*folder);
  report_error("there is no folder \"scenarios\" here: name one");
  return ExitStatus::bad_input;
}

ExitStatus run_list(const Arguments& arguments) {
  const std::span<const std::string> operands = arguments.operands();
  const std::string what = operands.empty() ? "scenarios" : operands[0];
  const bool has_folder = operands.size() == 2;
  if (what == "scenarios") return has_folder ? list_scenarios(operands[1]) : list_default_scenarios();
  if (!has_folder && what == "verbs") return list_verbs();
  if (!has_folder && what == "profiles") return list_profiles();
  if (!has_folder && what == "machines") return list_machines();
  if (!has_folder && what == "differences") return list_differences();
  if (!has_folder && what == "metrics") return list_metrics();
  if (!has_folder && what == "unsupported") return list_unsupported();
  if (!has_folder && is_folder(what)) return list_scenarios(what);

  const std::vector<std::string_view> words = {"scenarios",   "verbs",   "profiles",   "machines",
                                               "differences", "metrics", "unsupported"};
  const bool is_word = std::ranges::find(words, what) != words.end();
  report_usage_error(
      is_word ? UsageError{"list " + what + " takes no folder", ""}
              : UsageError{"cannot list \"" + what +
                               "\": it is neither scenarios, verbs, profiles, machines, differences, metrics, "
                               "unsupported nor a folder",
                           nearest(what, words)},
      &arguments.command());
  return ExitStatus::bad_input;
}

// ---- command line ---------------------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {
    Operand{
        "WHAT",
        "scenarios (the default), verbs of the scenario language, profiles (versions of Node, and of libuv alone), "
        "machines with a name, "
        "differences: "
        "known differences from real Node, metrics of a study, or unsupported: what a scenario has no word for, and "
        "what it can say instead"},
    Operand{"DIR", "where to look for scenarios; by default in ./scenarios, or else those installed with loopsim"},
};

constexpr std::array<std::span<const Option>, 1> kOptions = {kCommonOptions};

}  // namespace

const Command kListCommand = {
    .name = "list",
    .usage = "[scenarios|verbs|profiles|machines|differences|metrics|unsupported] [DIR]",
    .summary = "List scenarios, verbs and what has none, versions of Node, machines, known differences, or metrics.",
    .details = "",
    .operands = kOperands,
    .least_operands = 0,
    .most_operands = 2,
    .options = kOptions,
    .run = run_list,
};

}  // namespace loopsim::cli
