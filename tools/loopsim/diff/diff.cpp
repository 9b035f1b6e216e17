// loopsim diff: compares two runs, or the runs of a scenario in several versions of Node.

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "tools/loopsim/diff/diff_report.hpp"
#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/io/program_input.hpp"
#include "tools/loopsim/io/scenario_input.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/machine_options.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"
#include "tools/loopsim/line/runtimes.hpp"

namespace loopsim::cli {
namespace {

// ---- request -------------------------------------------------------------------------------------------------------

struct Request {
  std::vector<std::string> paths;
  std::vector<std::string> runtimes;  // ranges expanded
  std::vector<std::uint64_t> seeds;
  std::array<Settings, 2> machine;  // of each side
  bool machines_differ = false;
  Settings both, a, b;
  RowOptions rows;
  ReportOptions report;
  bool json = false;
  bool quiet = false;
  bool color_is_given = false;
  bool width_is_given = false;
};

ExitStatus usage_error(const Arguments& arguments, const std::string& message, const std::string& suggestion = "") {
  report_usage_error({message, suggestion}, &arguments.command());
  return ExitStatus::bad_input;
}

// A whole number, at least `least`.
std::optional<std::size_t> parse_count(const std::string& text, std::size_t least) {
  std::size_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end || value < least) return std::nullopt;
  return value;
}

constexpr std::size_t kLeastWidth = 40;
constexpr std::size_t kMostWidth = 1000;

// Nothing, after reporting the error, when an option is malformed.
std::optional<Request> read_request(const Arguments& arguments) {
  Request request;
  request.paths.assign(arguments.operands().begin(), arguments.operands().end());
  auto both = read_program_options(arguments);
  const auto laid_over = both ? read_settings(arguments, "set") : std::nullopt;
  if (laid_over) both->insert(both->end(), laid_over->begin(), laid_over->end());
  auto a = laid_over ? read_settings(arguments, "set-a") : std::nullopt;
  auto b = a ? read_settings(arguments, "set-b") : std::nullopt;
  auto seeds = b ? read_seeds(arguments) : std::nullopt;
  auto machine = seeds ? read_machine_sides(arguments) : std::nullopt;
  if (!machine) return std::nullopt;
  request.machine = *std::move(machine);
  request.machines_differ = differs_by_machine(arguments);
  request.both = *std::move(both);
  request.a = *std::move(a);
  request.b = *std::move(b);
  request.seeds = *std::move(seeds);
  for (const std::string& word : arguments.values("runtime")) {
    const auto runtimes = parse_runtimes(word);
    if (const auto* const error = std::get_if<UsageError>(&runtimes)) {
      report_usage_error(*error, &arguments.command());
      return std::nullopt;
    }
    for (const std::string& runtime : std::get<std::vector<std::string>>(runtimes)) {
      if (std::ranges::find(request.runtimes, runtime) != request.runtimes.end()) {
        usage_error(arguments, "the runtime " + runtime + " is given more than once");
        return std::nullopt;
      }
      request.runtimes.push_back(runtime);
    }
  }
  if (arguments.has("context")) {
    const std::string word = arguments.value_or("context", "");
    const auto context = parse_count(word, 0);
    if (!context) {
      usage_error(arguments, "option --context takes a number of rows, not \"" + word + "\"");
      return std::nullopt;
    }
    request.report.context = *context;
  }
  if (arguments.has("width")) {
    const std::string word = arguments.value_or("width", "");
    const auto width = parse_count(word, kLeastWidth);
    if (!width || *width > kMostWidth) {
      usage_error(arguments, "option --width takes a number of columns from 40 to 1000, not \"" + word + "\"");
      return std::nullopt;
    }
    request.report.width = static_cast<int>(*width);
    request.width_is_given = true;
  }
  const std::string color = arguments.value_or("color", "auto");
  request.color_is_given = color != "auto";
  request.report.color = color == "always";
  request.rows.all_events = arguments.has("events");
  request.rows.ignore_times = arguments.has("ignore-times");
  request.json = arguments.value_or("format", "text") == "json";
  request.quiet = arguments.has("quiet");
  return request;
}

// Error message, in one sentence, for sides that cannot be compared with these options; empty: no error.
std::string wrong_sides(const Request& request, const std::vector<DiffFile>& files) {
  const bool two_files = files.size() == 2;
  const auto traces = std::ranges::count_if(files, &DiffFile::is_trace);
  const bool only_traces = static_cast<std::size_t>(traces) == files.size();
  const bool per_side =
      !request.a.empty() || !request.b.empty() || request.seeds.size() == 2 || request.machines_differ;
  const bool runs_with = !request.runtimes.empty() || !request.both.empty() || per_side || !request.seeds.empty() ||
                         !request.machine[0].empty();
  if (request.seeds.size() > 2) return "diff takes --seed once, or twice: one for each side";
  if (only_traces && runs_with) {
    return "--runtime, --set, --seed and options of the machine say how a scenario is run, and there is none: " +
           files.front().path + " is a trace";
  }
  if (two_files && request.runtimes.size() > 2) return "two files are compared under one or two runtimes";
  if (!two_files && only_traces) return "diff needs another FILE to compare the trace with";
  if (!two_files && request.runtimes.size() < 2 && !per_side) {
    return "diff needs two sides: another FILE, another --runtime, --seed or option of the machine, --set-a or --set-b";
  }
  if (request.runtimes.size() > 2 && per_side)
    return "more than two runtimes are compared with one and the same --seed, --set and machine";
  if (two_files && traces == 1) {
    const bool a_is_trace = files.front().is_trace;
    if (request.runtimes.size() == 2) return "only one side is run, so there can be only one --runtime";
    if (request.seeds.size() == 2) return "only one side is run, so there can be only one --seed";
    if (request.machines_differ) return "only one side is run, so there can be only one machine";
    if (!(a_is_trace ? request.a : request.b).empty()) {
      return std::string("option --set-") + (a_is_trace ? "a" : "b") + " is for a side that is a trace";
    }
  }
  return "";
}

// ---- sides ---------------------------------------------------------------------------------------------------------

// Options to run a scenario as the trace was run: runtime, seed, and those of its params that the scenario has.
std::optional<ReadOptions> options_like(const DiffFile& scenario, const StoredTrace& trace) {
  const ReadResult read = read_scenario(scenario.document, input_name(scenario.path), with_files({}, scenario.path));
  ReadOptions options;
  options.warns = false;
  options.runtime = trace.runtime;
  options.seed = trace.seed;
  if (!read.scenario) return options;  // running it reports the errors
  for (const auto& param : trace.params) {
    if (std::ranges::find(read.scenario->params, param.first, &std::pair<std::string, std::string>::first) !=
        read.scenario->params.end()) {
      options.overrides.push_back(param);
    }
  }
  return options;
}

void add(Settings& settings, const Settings& more) { settings.insert(settings.end(), more.begin(), more.end()); }

ReadOptions options_of(const Request& request, std::size_t side, const std::vector<DiffFile>& files) {
  ReadOptions options;
  options.warns = false;  // what differs is asked, not whether the documents are good
  const DiffFile& file = files[std::min(side, files.size() - 1)];
  const DiffFile& other = files[files.size() == 2 ? 1 - side : 0];
  if (!file.is_trace && other.is_trace) options = options_like(file, other.trace).value_or(options);
  if (!request.runtimes.empty()) options.runtime = request.runtimes[std::min(side, request.runtimes.size() - 1)];
  if (!request.seeds.empty()) options.seed = request.seeds[std::min(side, request.seeds.size() - 1)];
  add(options.overrides, request.machine[std::min<std::size_t>(side, 1)]);
  add(options.overrides, request.both);
  add(options.overrides, side == 0 ? request.a : request.b);
  return options;
}

// The place outside the params that alone has another value on the other side, with both values; empty: none or several.
std::vector<std::pair<std::string, std::string>> differing_place(const Settings& a, const Settings& b) {
  std::vector<std::pair<std::string, std::string>> values;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].first != b[i].first) return {};
    if (a[i].second == b[i].second) continue;
    values.emplace_back(a[i].first + "=" + a[i].second, b[i].first + "=" + b[i].second);
  }
  return a.size() == b.size() && values.size() == 1 ? values : std::vector<std::pair<std::string, std::string>>();
}

// Names the sides of one scenario after their only difference (runtime, seed, param or place); otherwise "a" and "b".
void name_sides(Side& a, Side& b) {
  a.name = "a";
  b.name = "b";
  const bool one_file = a.file == b.file;
  const bool same_runtime = a.trace.runtime == b.trace.runtime;
  const bool same_seed = a.trace.seed == b.trace.seed;
  if (!one_file) return;
  constexpr std::size_t kLongest = 20;
  std::vector<std::pair<std::string, std::string>> values;
  for (std::size_t i = 0; i < std::min(a.trace.params.size(), b.trace.params.size()); ++i) {
    if (a.trace.params[i] == b.trace.params[i]) continue;
    values.emplace_back(a.trace.params[i].first + "=" + a.trace.params[i].second,
                        b.trace.params[i].first + "=" + b.trace.params[i].second);
  }
  if (values.empty()) values = differing_place(a.options.overrides, b.options.overrides);
  const bool same_settings = a.options.overrides == b.options.overrides;
  if (!same_runtime && same_seed && same_settings) {
    a.name = a.trace.runtime;
    b.name = b.trace.runtime;
  } else if (same_runtime && !same_seed && same_settings) {
    a.name = "seed " + std::to_string(a.trace.seed);
    b.name = "seed " + std::to_string(b.trace.seed);
  } else if (same_runtime && same_seed && values.size() == 1 && values.front().first.size() <= kLongest &&
             values.front().second.size() <= kLongest) {
    a.name = values.front().first;
    b.name = values.front().second;
  }
}

// ---- comparison ----------------------------------------------------------------------------------------------------

// A trace has no program. If running the other side's scenario as the trace was run reproduces the trace's rows, that
// run stands in for it.
std::optional<Side> side_that_ran(const Side& trace, const Side& scenario, RowMaker& rows) {
  Side side;
  side.file = scenario.file;
  side.options = options_like(*scenario.file, trace.trace).value_or(ReadOptions{});
  side.name = trace.name;
  Diagnostics ignored;
  if (!run_side(side, keeps_for(rows.options()), ignored)) return std::nullopt;
  side.rows = rows.rows_of(side.trace);
  if (first_difference(side.rows, trace.rows)) return std::nullopt;
  return side;
}

std::optional<Reason> reason_for(const Side& a, const Side& b, RowMaker& rows, std::size_t difference) {
  if (a.program != nullptr && b.program != nullptr) return find_reason(a, b, rows, difference);
  if (a.program == nullptr && b.program == nullptr) return std::nullopt;
  const Side& trace = a.program == nullptr ? a : b;
  const Side& scenario = a.program == nullptr ? b : a;
  const std::optional<Side> ran = side_that_ran(trace, scenario, rows);
  if (!ran) return std::nullopt;
  return a.program == nullptr ? find_reason(*ran, b, rows, difference) : find_reason(a, *ran, rows, difference);
}

Finding compare(const Side& a, const Side& b, RowMaker& rows, bool with_reason) {
  Finding finding;
  finding.a = &a;
  finding.b = &b;
  finding.is_same_trace = a.hash == b.hash;
  finding.difference = first_difference(a.rows, b.rows);
  finding.beyond = !finding.difference && (a.trace.is_cut || b.trace.is_cut) && !finding.is_same_trace;
  if (!finding.difference || !with_reason) return finding;
  finding.a_sight = look(a, b, *finding.difference);
  finding.b_sight = look(b, a, *finding.difference);
  finding.reason = reason_for(a, b, rows, *finding.difference);
  if (!finding.reason) finding.facts = facts_of(finding);
  return finding;
}

// ---- command -------------------------------------------------------------------------------------------------------

template <typename Told>
ExitStatus tell(const Told& told, bool is_different, const Request& request, const std::string& path, RowMaker& rows) {
  const ExitStatus status = is_different ? ExitStatus::different : ExitStatus::ok;
  if (request.quiet) return status;
  OutputFile output(path);
  ReportOptions options = request.report;
  if (!request.color_is_given) options.color = wants_color(output);
  if (!request.width_is_given) options.width = std::max(output.columns(options.width), static_cast<int>(kLeastWidth));
  output.write(request.json ? json_report(told, rows) : text_report(told, rows, options));
  return output.finish() ? status : ExitStatus::output_failed;
}

ExitStatus diff_two(const Request& request, std::vector<DiffFile>& files, const std::string& output) {
  std::array<Side, 2> sides;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    sides[i].file = &files[std::min(i, files.size() - 1)];
    if (!sides[i].file->is_trace) sides[i].options = options_of(request, i, files);
  }
  bool is_good = true;
  Diagnostics told;
  for (Side& side : sides) {
    Diagnostics problems;
    is_good = run_side(side, keeps_for(request.rows), problems) && is_good;
    // Diagnostics common to both sides are reported once.
    const auto is_new = [&told](const Diagnostic& problem) {
      return std::ranges::none_of(told,
                                  [&](const Diagnostic& known) { return to_string(known) == to_string(problem); });
    };
    Diagnostics fresh;
    std::ranges::copy_if(problems, std::back_inserter(fresh), is_new);
    report_diagnostics(fresh);
    told.insert(told.end(), fresh.begin(), fresh.end());
  }
  if (!is_good) return ExitStatus::bad_input;
  name_sides(sides[0], sides[1]);
  RowOptions options = request.rows;
  options.ignore_lines =
      sides[0].file->is_trace || sides[1].file->is_trace || sides[0].file->document != sides[1].file->document;
  options.ignore_places = options.ignore_lines && !places_agree(sides[0].trace, sides[1].trace);
  RowMaker rows(options);
  for (Side& side : sides) side.rows = rows.rows_of(side.trace);
  Finding finding = compare(sides[0], sides[1], rows, !request.quiet);
  if (!request.quiet) finding.aligned = align(sides[0].rows, sides[1].rows);
  return tell(finding, finding.is_different(), request, output, rows);
}

// The first error, without the version: the group names its versions.
std::string problem_words(const Diagnostics& problems) {
  const auto error = std::ranges::find(problems, Diagnostic::Severity::error, &Diagnostic::severity);
  if (error == problems.end()) return "";
  return error->message.substr(0, error->message.find("; the runtime is"));
}

// Compares one scenario in more than two versions.
ExitStatus diff_many(const Request& request, std::vector<DiffFile>& files, const std::string& output) {
  RowMaker rows(request.rows);
  Study study;
  study.path = files.front().path;
  study.sides.resize(request.runtimes.size());
  Diagnostics all_problems;
  bool any = false;
  std::vector<bool> runs;
  for (std::size_t i = 0; i < study.sides.size(); ++i) {
    Side& side = study.sides[i];
    side.file = &files.front();
    side.options = options_of(request, i, files);
    side.options.runtime = request.runtimes[i];
    side.name = request.runtimes[i];
    Diagnostics problems;
    const bool ran = run_side(side, keeps_for(request.rows), problems);
    if (ran) side.rows = rows.rows_of(side.trace);
    runs.push_back(ran);
    any = any || ran;
    if (ran && study.title.empty()) study.title = side.trace.title;
    if (!ran && all_problems.empty()) all_problems = problems;
    const auto fits = [&](const Group& group) {
      const Side& first = study.sides[group.sides.front()];
      if (!ran) return !group.error.empty();
      return group.error.empty() && !first_difference(first.rows, side.rows) &&
             (first.hash == side.hash || (!first.trace.is_cut && !side.trace.is_cut));
    };
    auto group = std::ranges::find_if(study.groups, fits);
    if (group == study.groups.end()) {
      study.groups.push_back({{}, ran ? "" : problem_words(problems)});
      group = std::prev(study.groups.end());
    }
    group->sides.push_back(i);
  }
  if (!any) {
    report_diagnostics(all_problems);
    return ExitStatus::bad_input;
  }
  for (std::size_t i = 1; i < study.sides.size() && !request.quiet; ++i) {
    if (!runs[i - 1] || !runs[i]) continue;
    Finding step = compare(study.sides[i - 1], study.sides[i], rows, true);
    if (step.is_different()) study.steps.push_back(std::move(step));
  }
  return tell(study, study.groups.size() > 1, request, output, rows);
}

ExitStatus run_diff(const Arguments& arguments) {
  const std::optional<Request> request = read_request(arguments);
  if (!request) return ExitStatus::bad_input;
  const std::string output = arguments.value_or("output", "-");
  if (request->paths.size() == 2 && request->paths[0] == "-" && request->paths[1] == "-") {
    return usage_error(arguments, "standard input can be only one of the two sides");
  }
  std::vector<DiffFile> files;
  for (const std::string& path : request->paths) {
    if (overwrites_input(path, output)) return ExitStatus::bad_input;
    std::optional<DiffFile> file = read_diff_file(path, keeps_for(request->rows));
    if (!file) return ExitStatus::bad_input;
    files.push_back(*std::move(file));
  }
  if (const std::string wrong = wrong_sides(*request, files); !wrong.empty()) return usage_error(arguments, wrong);
  return request->runtimes.size() > 2 ? diff_many(*request, files, output) : diff_two(*request, files, output);
}

// ---- command line --------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {
    Operand{
        "FILE",
        "a scenario (JSON), a JavaScript program (.js, .cjs, .mjs), or a trace that `loopsim run --format jsonl` has "
        "written; - for standard input (with --js a program)"},
    Operand{"FILE", "the other side; without it the scenario is compared with itself, run in another way"},
};

constexpr std::array kSideOptions = {
    Option{"runtime", 'r', "NAME", true,
           "a version of Node: one for both sides, two for one each, or more, as in node-18..node-24"},
    Option{"set", 's', "NAME=VALUE", true,
           "lay a value over a param, or over any place given as a JSON pointer, there already or not"},
    Option{"set-a", 0, "NAME=VALUE", true, "the same on the first side only"},
    Option{"set-b", 0, "NAME=VALUE", true, "the same on the second side only"},
    Option{"seed", 0, "N", true, "the seed of everything random: one for both sides, or two for one each"},
};

constexpr std::array kOwnOptions = {
    Option{"events", 'e', "", false, "compare all events of the traces, not only callbacks, output and the end"},
    Option{"ignore-times", 0, "", false, "compare what happens and in which order, not when"},
    Option{"format", 'f', "text|json", false, "a report to read (the default), or JSON for tools"},
    Option{"context", 'c', "N", false, "rows that are the same to show around those that are not (3)"},
    Option{"color", 0, "auto|always|never", false, "colours: on a terminal (the default), always or never"},
    Option{"width", 'w', "COLUMNS", false, "of the report: the terminal's, or 100"},
    Option{"quiet", 'q', "", false, "print nothing: only the exit status"},
};

constexpr std::array<std::span<const Option>, 8> kOptions = {kSideOptions,    kJavaScriptOptions,     kRootOptions,
                                                             kProgramOptions, kMachineOptionsOfSides, kOwnOptions,
                                                             kOutputOptions,  kCommonOptions};

}  // namespace

const Command kDiffCommand = {
    .name = "diff",
    .usage = "FILE [FILE] [OPTION]... [-- ARGUMENT...]",
    .summary = "Compare two runs, or versions of Node: the first difference, why, and the rest side by side.",
    .details =
        "Two scenarios, two traces, a trace and a scenario, or one scenario that is run twice:\n"
        "  loopsim diff FILE --runtime node-10 --runtime node-11\n"
        "  loopsim diff FILE --set-a delay=5 --set-b delay=50\n"
        "  loopsim diff FILE --machine laptop --load 0 --load 0.6\n"
        "  loopsim diff FILE --runtime node-4..node-26\n"
        "With more than two versions it reports which of them do the same, and what changes from one to the next.\n"
        "A scenario that is compared with a trace is run as that was.\n"
        "The exit status is 0 when both sides are the same, and 1 when they are not.\n",
    .operands = kOperands,
    .least_operands = 1,
    .most_operands = 2,
    .options = kOptions,
    .run = run_diff,
    .is_confined = true,
    .takes_arguments = true,
};

}  // namespace loopsim::cli
