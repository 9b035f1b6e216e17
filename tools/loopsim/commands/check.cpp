// loopsim check: runs scenarios and verifies their expectations.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "loopsim/known_differences.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/writers.hpp"

#include "tools/loopsim/commands/expectation.hpp"
#include "tools/loopsim/commands/expected_race.hpp"
#include "tools/loopsim/diff/unified_diff.hpp"
#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/io/program_input.hpp"
#include "tools/loopsim/io/scenario_files.hpp"
#include "tools/loopsim/io/scenario_input.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/machine_options.hpp"
#include "tools/loopsim/line/memory_budget.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"
#include "tools/loopsim/line/paths.hpp"
#include "tools/loopsim/line/step_ceiling.hpp"

namespace loopsim::cli {
namespace {

// One run to verify: a document with one runtime and one set of parameter overrides.
struct Trial {
  ReadOptions options;
  Expectation expectation;
  std::string label;  // " [node-10 delay=5]"; empty for the unmodified document
};

std::string label_of(const ReadOptions& options) {
  std::string label = options.runtime;
  for (const auto& [name, json] : options.overrides) {
    if (!label.empty()) label += ' ';
    label.append(name).append("=").append(json);
  }
  return label.empty() ? label : " [" + label + "]";
}

// All trials of a document. A case with several runtimes gives one trial for each.
// The label tells what a case changes, not `given`, which holds for all of them.
std::vector<Trial> trials_of(const Scenario& scenario, const ReadOptions& given) {
  std::vector<Trial> trials;
  if (scenario.expectation) trials.push_back({given, *scenario.expectation, ""});
  for (const ExpectationCase& one : scenario.cases) {
    std::vector<std::string> runtimes = one.runtimes;
    if (runtimes.empty()) runtimes.emplace_back();  // the document's runtime
    for (const std::string& runtime : runtimes) {
      ReadOptions options;
      options.overrides = one.overrides;
      options.runtime = runtime;
      std::string label = label_of(options);
      options.overrides.insert(options.overrides.begin(), given.overrides.begin(), given.overrides.end());
      trials.push_back({std::move(options), one.expectation, std::move(label)});
    }
  }
  return trials;
}

// All cases of a document together (there may be a hundred thousand) share the --max-steps budget of one run. Each case
// reads the document again, which costs one step per kBytesPerStep bytes.
constexpr std::size_t kBytesPerStep = 16;

class StepBudget {
 public:
  explicit StepBudget(std::uint64_t steps) : is_bounded_(steps != 0), left_(steps) {}

  void take(std::uint64_t steps) { left_ -= std::min(steps, left_); }
  [[nodiscard]] bool is_used_up() const { return is_bounded_ && left_ == 0; }
  [[nodiscard]] std::uint64_t left() const { return is_bounded_ ? left_ : 0; }

 private:
  bool is_bounded_;
  std::uint64_t left_;
};

enum class Verdict { passed, failed, no_expectation, bad_input, out_of_memory };

struct Tally {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t without = 0;
  std::size_t bad = 0;
  std::size_t starved = 0;
  bool limit = false;  // a run without expectation reached a limit

  void add(Verdict verdict) {
    switch (verdict) {
      case Verdict::passed: ++passed; break;
      case Verdict::failed: ++failed; break;
      case Verdict::no_expectation: ++without; break;
      case Verdict::bad_input: ++bad; break;
      case Verdict::out_of_memory: ++starved; break;
    }
  }

  [[nodiscard]] std::string line() const {
    std::string text = std::to_string(passed) + " passed, " + std::to_string(failed) + " failed";
    if (without > 0) text += ", " + std::to_string(without) + " without expectation";
    if (bad > 0) text += ", " + std::to_string(bad) + " with errors";
    if (starved > 0) text += ", " + std::to_string(starved) + " out of memory";
    return text + "\n";
  }

  [[nodiscard]] ExitStatus status() const {
    if (starved > 0) return ExitStatus::out_of_memory;
    if (bad > 0) return ExitStatus::bad_input;
    if (failed > 0) return ExitStatus::expectation_failed;
    return limit ? ExitStatus::limit : ExitStatus::ok;
  }
};

class Checker {
 public:
  // `given`: what the command line lays over every scenario.
  Checker(OutputFile& output, ReadOptions given, bool quiet)
      : output_(output), given_(std::move(given)), quiet_(quiet), warns_(given_.warns) {}

  // A scenario that runs out of memory does not prevent checking the others.
  void check(const std::string& path) {
    tally_.add(or_without_memory([&] { return verdict_of(path); },
                                 [&] {
                                   output_.write("ERROR   " + path + ": out of memory (--max-memory)\n");
                                   return Verdict::out_of_memory;
                                 }));
  }
  [[nodiscard]] const Tally& tally() const { return tally_; }

 private:
  Verdict verdict_of(const std::string& path) {
    const std::optional<std::string> text = read_scenario_text(path);
    if (!text) return bad_input(path);
    const std::optional<LoadedScenario> document = load_document(*text, path, given_);
    if (!document) return bad_input(path);
    warned_.clear();
    has_warned_of_race_ = false;

    const std::vector<Trial> trials = trials_of(document->scenario, given_);
    if (trials.empty()) return run_without_expectation(path, *document);

    bool passed = true;
    StepBudget budget(step_ceiling());
    for (const Trial& trial : trials) {
      if (!trial.label.empty()) budget.take(text->size() / kBytesPerStep);
      if (budget.is_used_up()) {
        output_.write("FAILED  " + path + trial.label + " and what follows it: not run, --max-steps is used up\n");
        return Verdict::failed;
      }
      if (trial.label.empty()) {
        warn(document->scenario);
        passed = verify(path, trial, *document, budget) && passed;
        continue;
      }
      ReadOptions options = trial.options;
      options.most_steps = budget.left();
      options.warns = false;  // as for the document itself, which has been said
      const std::optional<LoadedScenario> varied = load_document(*text, path, options);
      if (!varied) return bad_input(path + trial.label);
      warn(varied->scenario);
      passed = verify(path, trial, *varied, budget) && passed;
    }
    if (!passed) return Verdict::failed;
    const std::string cases = scenario_cases(trials);
    if (!quiet_) output_.write("ok      " + path + cases + "\n");
    return Verdict::passed;
  }

  static std::string scenario_cases(const std::vector<Trial>& trials) {
    const auto count = std::ranges::count_if(trials, [](const Trial& trial) { return !trial.label.empty(); });
    if (count == 0) return "";
    return " (" + std::to_string(count) + (count == 1 ? " case)" : " cases)");
  }

  Verdict bad_input(const std::string& what) {
    output_.write("ERROR   " + what + "\n");
    return Verdict::bad_input;
  }

  // Reports known differences from real Node, each once per document.
  void warn(const Scenario& scenario) {
    if (!warns_) return;
    Diagnostics fresh;
    for (Diagnostic& warning : warnings_of(scenario)) {
      if (warned_.insert(to_string(warning)).second) fresh.push_back(std::move(warning));
    }
    report_diagnostics(fresh);
  }

  // Once per document: its cases mostly are variants of one program.
  void warn_of_race(const Trial& trial, const LoadedScenario& loaded) {
    if (!warns_ || has_warned_of_race_) return;
    const std::optional<Diagnostic> warning = race_behind(trial.expectation, loaded.scenario, *loaded.program);
    if (!warning) return;
    has_warned_of_race_ = true;
    report_diagnostics({*warning});
  }

  Verdict run_without_expectation(const std::string& path, const LoadedScenario& document) {
    warn(document.scenario);
    const RunSummary summary = run(*document.program, {});
    const bool limit = summary.limit != LimitKind::none;
    tally_.limit = tally_.limit || limit;
    const std::string note = limit ? ", and it reached its limit of " + std::string(to_string(summary.limit)) : "";
    output_.write("-       " + path + ": no expectation" + note + "\n");
    return Verdict::no_expectation;
  }

  bool verify(const std::string& path, const Trial& trial, const LoadedScenario& loaded, StepBudget& budget) {
    const std::unique_ptr<Recorder> recorder = make_recorder();
    const std::array<TraceSink*, 1> sinks = {recorder.get()};
    budget.take(run(*loaded.program, sinks).steps);
    const std::vector<Comparison> different = differences(trial.expectation, recorder->recording());
    if (different.empty()) {
      warn_of_race(trial, loaded);
      return true;
    }
    output_.write("FAILED  " + path + trial.label + "\n");
    for (const Comparison& comparison : different) {
      const std::string expected = "expected " + comparison.what;
      const std::string actual = "actual " + comparison.what;
      output_.write(unified_diff(comparison.expected, comparison.actual, {expected, actual}));
    }
    return false;
  }

  OutputFile& output_;
  ReadOptions given_;
  bool quiet_;
  bool warns_;
  std::set<std::string> warned_;  // already reported for this document
  bool has_warned_of_race_ = false;
  Tally tally_;
};

// The files of all operands, folders expanded. Empty if a folder is unreadable or has no scenarios (error reported).
std::optional<std::vector<std::string>> files_of(std::span<const std::string> operands) {
  std::vector<std::string> files;
  for (const std::string& operand : operands) {
    if (!is_folder(operand)) {
      files.push_back(operand);
      continue;
    }
    const auto found = find_scenarios(operand);
    if (!found) return std::nullopt;
    if (found->empty()) {
      report_error("there are no scenarios in " + operand);
      return std::nullopt;
    }
    files.insert(files.end(), found->begin(), found->end());
  }
  return files;
}

ExitStatus run_check(const Arguments& arguments) {
  const std::optional<ReadOptions> given = read_run_options(arguments);
  if (!given) return ExitStatus::bad_input;
  const auto files = files_of(arguments.operands());
  if (!files) return ExitStatus::bad_input;

  OutputFile output("-");
  Checker checker(output, *given, arguments.has("quiet"));
  for (const std::string& file : *files) checker.check(file);
  output.write(checker.tally().line());
  if (!output.finish()) return ExitStatus::output_failed;
  return checker.tally().status();
}

// ---- command line ---------------------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {Operand{
    "FILE|DIR...",
    "scenarios, JavaScript programs (.js, .cjs, .mjs), - for standard input (with --js a program), or folders of "
    "scenarios: every *.json in it but *.schema.json"}};

constexpr std::array kOwnOptions = {Option{"quiet", 'q', "", false, "leave out the scenarios that pass"}};

constexpr std::array<std::span<const Option>, 8> kOptions = {kSettingOptions, kJavaScriptOptions, kRootOptions,
                                                             kProgramOptions, kMachineOptions,    kOwnOptions,
                                                             kWarningOptions, kCommonOptions};

}  // namespace

const Command kCheckCommand = {
    .name = "check",
    .usage = "FILE|DIR... [OPTION]... [-- ARGUMENT...]",
    .summary = "Run scenarios and verify what they expect.",
    .details =
        "Tells for each scenario whether its \"expect\" and the \"cases\" in it hold, and what differs where they do "
        "not.\n"
        "A limit that is reached and not expected is a failure. What --set and the options of the machine say holds "
        "for\n"
        "all cases; a case's own values are laid over it.\n",
    .operands = kOperands,
    .least_operands = 1,
    .most_operands = Command::kAnyNumber,
    .options = kOptions,
    .run = run_check,
    .is_confined = true,
    .takes_arguments = true,
};

}  // namespace loopsim::cli
