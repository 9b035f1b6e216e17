// loopsim sweep: runs a scenario many times with varied values, and writes the metrics of each run.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/study.hpp"
#include "loopsim/units.hpp"

#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/io/program_input.hpp"
#include "tools/loopsim/io/scenario_input.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/machine_options.hpp"
#include "tools/loopsim/line/memory_budget.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"
#include "tools/loopsim/sweep/sweep_matrix.hpp"
#include "tools/loopsim/sweep/sweep_output.hpp"
#include "tools/loopsim/sweep/sweep_progress.hpp"
#include "tools/loopsim/sweep/sweep_results.hpp"

namespace loopsim::cli {
namespace {

// ---- request -------------------------------------------------------------------------------------------------------

struct Request {
  StudySpec spec;
  OutputRequest output;
  ResultRequest results;
  std::optional<Comparison> comparison;
  unsigned jobs = 0;
  bool dry_run = false;
  bool quiet = false;
};

constexpr std::uint64_t kMostReplications = 1000;  // default of --replications with --until-half-width

// Reads options; reports the first error and remembers it.
class OptionReader {
 public:
  explicit OptionReader(const Arguments& arguments) : arguments_(arguments) {}

  [[nodiscard]] bool failed() const { return failed_; }

  void wrong(const std::string& message, const std::string& suggestion = "") {
    if (!failed_) report_usage_error({message, suggestion}, &arguments_.command());
    failed_ = true;
  }

  // A whole number from `least` to `most`; `otherwise` if the option is absent.
  std::uint64_t count(std::string_view option, std::uint64_t otherwise, std::uint64_t least, std::uint64_t most) {
    if (!arguments_.has(option)) return otherwise;
    const std::string text = arguments_.value_or(option, "");
    const std::optional<std::uint64_t> value = parse_unsigned(text);
    if (value && *value >= least && *value <= most) return *value;
    wrong(fmt::format("option --{} takes a whole number from {} to {}, not \"{}\"", option, least, most, text));
    return otherwise;
  }

  // A duration with a unit, or a number of milliseconds.
  TimeNs time(std::string_view option) {
    if (!arguments_.has(option)) return 0;
    const std::string text = arguments_.value_or(option, "");
    const ParsedDuration with_unit = parse_duration(text);
    const ParsedDuration plain = parse_milliseconds(text);
    if (with_unit.problem == DurationProblem::none) return with_unit.value;
    if (with_unit.problem == DurationProblem::no_unit && plain.problem == DurationProblem::none) return plain.value;
    wrong(fmt::format("option --{} takes a time such as 500ms or 2s, not \"{}\"", option, text));
    return 0;
  }

  std::optional<StoppingRule> stopping(std::string_view option) {
    if (!arguments_.has(option)) return std::nullopt;
    const std::string text = arguments_.value_or(option, "");
    std::string_view number = text;
    StoppingRule rule;
    rule.relative = number.ends_with('%');
    if (rule.relative) number.remove_suffix(1);
    const ParsedDouble parsed = parse_double(number);
    const bool whole = parsed.fits && parsed.length > 0 && parsed.length == number.size();
    if (whole) rule.half_width = parsed.value;
    if (rule.relative) rule.half_width /= 100;
    if (!whole) {
      const ParsedDuration duration = parse_duration(text);
      const bool is_duration = duration.problem == DurationProblem::none;
      rule.half_width = is_duration ? static_cast<double>(duration.value) / static_cast<double>(kMillisecond) : 0;
    }
    if (std::isfinite(rule.half_width) && rule.half_width > 0) return rule;
    wrong(fmt::format("option --{} takes a share such as 2%, a time or a number, not \"{}\"", option, text));
    return std::nullopt;
  }

  // Of the differences that are to be summed up.
  std::optional<Comparison> comparison(const ResultRequest& results, std::span<const Dimension> dimensions) {
    if (!results.compare) return std::nullopt;
    ComparisonResult read = parse_comparison(*results.compare, dimensions);
    if (!read.comparison) wrong("option --compare: " + read.message, read.suggestion);
    if (!results.has_summary()) wrong("differences are part of the summary: --compare needs --summary FILE or a table");
    return read.comparison;
  }

  std::optional<Shard> shard(std::string_view option) {
    if (!arguments_.has(option)) return std::nullopt;
    const std::string text = arguments_.value_or(option, "");
    const std::size_t slash = text.find('/');
    const auto number = parse_unsigned(text.substr(0, slash));
    const auto count = slash == std::string::npos ? std::nullopt : parse_unsigned(text.substr(slash + 1));
    if (number && count && *number >= 1 && *number <= *count) return Shard{*number, *count};
    wrong(fmt::format("option --{} takes NUMBER/COUNT, 1/3 to 3/3 say, not \"{}\"", option, text));
    return std::nullopt;
  }

 private:
  const Arguments& arguments_;
  bool failed_ = false;
};

// What is varied, in the order in which it was typed. `machine`: the options of the machine that are ranges.
void read_dimensions(const Arguments& arguments, std::span<const Dimension> machine, OptionReader& reader,
                     StudySpec& spec) {
  std::size_t varied = 0;
  for (const std::string& option : arguments.order()) {
    if (option == "vary") {
      DimensionResult read = parse_dimension(arguments.values("vary")[varied++]);
      if (!read.dimension) return reader.wrong("option --vary: " + read.message, read.suggestion);
      spec.dimensions.push_back(*std::move(read.dimension));
      continue;
    }
    const std::string_view place = place_of_machine_option(option);
    const auto is_this = [place](const Dimension& one) { return !place.empty() && one.name == place; };
    std::ranges::copy_if(machine, std::back_inserter(spec.dimensions), is_this);
  }
}

// Nothing, after reporting the error, if an option is invalid.
std::optional<Request> read_request(const Arguments& arguments) {
  std::vector<Dimension> machine;
  std::optional<ReadOptions> options = read_run_options(arguments, &machine);
  if (!options) return std::nullopt;
  OptionReader reader(arguments);
  Request request;
  StudySpec& spec = request.spec;
  spec.options = *std::move(options);
  read_dimensions(arguments, machine, reader, spec);
  spec.stopping = reader.stopping("until-half-width");
  const std::uint64_t least = spec.stopping ? kLeastReplications : 1;
  spec.replications = reader.count("replications", spec.stopping ? kMostReplications : 1, least, kMostRuns);
  spec.metrics.assign(arguments.values("metric").begin(), arguments.values("metric").end());
  spec.all_callbacks = !arguments.has("callback");
  spec.metrics_options.callbacks.assign(arguments.values("callback").begin(), arguments.values("callback").end());
  spec.metrics_options.warm_up = reader.time("warm-up");
  spec.metrics_options.output = arguments.has("lines");
  spec.metrics_options.order = arguments.has("order");

  const std::optional<Shard> shard = reader.shard("shard");
  ResultRequest& results = request.results;
  results = read_result_request(arguments);
  spec.metrics_options.distributions = results.distributions;
  if (arguments.has("histogram")) spec.metrics_options.distributions.emplace_back("loop_delay");
  for (std::string& name : results.plotted_distributions()) {
    spec.metrics_options.distributions.push_back(std::move(name));
  }
  request.output.path = results.rows;
  request.output.format = results.format.value_or(RowFormat::csv);
  request.output.shard = shard.value_or(Shard{});
  request.output.is_shard = shard.has_value();
  request.output.none = results.table;
  request.output.resume = arguments.has("resume");
  request.comparison = reader.comparison(results, spec.dimensions);
  if (request.comparison && shard) reader.wrong("a shard has no differences: loopsim merge makes them");
  const std::string wrong_plots = wrong_for_plots(arguments, results, spec.dimensions);
  if (!wrong_plots.empty()) reader.wrong(wrong_plots);
  if (results.has_plots() && shard) reader.wrong("a shard has no plot of its own: loopsim merge makes it");
  if (const std::string wrong = same_destination(results); !wrong.empty()) reader.wrong(wrong);
  request.jobs = static_cast<unsigned>(reader.count("jobs", 0, 1, 1024));
  request.dry_run = arguments.has("dry-run");
  request.quiet = arguments.has("quiet");

  const bool to_stream = request.output.path == "-";
  if (to_stream && !request.dry_run) {
    if (shard) reader.wrong("a shard is written to a file: --shard needs --output FILE");
    if (request.output.resume) reader.wrong("only what goes to a file can be resumed: --resume needs --output FILE");
  }
  const std::string wrong = request.dry_run ? "" : wrong_for_rows(results, request.output.format);
  if (!wrong.empty()) reader.wrong(wrong);
  if (reader.failed()) return std::nullopt;
  return request;
}

// ---- messages and summary ------------------------------------------------------------------------------------------

void report_bad_study(const PrepareResult& prepared, const StudySpec& spec, std::uint64_t points,
                      const Command& command) {
  if (!prepared.message.empty()) return report_usage_error({prepared.message, prepared.suggestion}, &command);
  report_diagnostics(prepared.diagnostics);
  if (spec.dimensions.empty()) return;
  const std::string others = fmt::format("{} of {} points cannot be run, the first is ", prepared.bad_points, points);
  report_error((prepared.bad_points > 1 ? others : "a point cannot be run: ") + prepared.point);
}

SummaryTable summary_table(const Study& study, const std::string& reference) {
  const StudyShape& shape = shape_of(study);
  SummaryTable table;
  table.reference = reference;
  for (const Dimension& dimension : spec_of(study).dimensions) table.dimensions.push_back(dimension.name);
  for (const std::size_t metric : shape.metrics) {
    table.metrics.push_back(shape.columns[metric].name);
    table.units.push_back(shape.columns[metric].unit);
  }
  return table;
}

std::vector<SummaryPoint> summary_points(const Study& study, std::span<PointResult> results,
                                         const SteadinessTable& steadiness, std::optional<Comparison> comparison) {
  std::vector<SummaryPoint> points;
  std::vector<std::vector<double>> values;
  for (PointResult& result : results) {
    points.push_back(
        {values_of(study, result.point), result.replications, result.estimates, steadiness.of(result.point)});
    values.push_back(std::move(result.values));
  }
  if (comparison) add_differences(points, values, spec_of(study).dimensions, *comparison);
  return points;
}

// Warns if replications are requested but nothing is random.
void warn_of_sameness(const Study& study) {
  const StudyShape& shape = shape_of(study);
  if (shape.is_random || shape.replications == 1) return;
  report_error("nothing in this scenario is random: the replications of a point are all the same run");
}

// Reports the number of runs that reached a limit, and of points where the stopping rule was not met.
void report_limits(const Study& study, std::span<const PointResult> results, std::uint64_t limits) {
  if (limits > 0)
    report_error(
        fmt::format("{} run{} reached a limit of the scenario (column limit)", limits, limits == 1 ? "" : "s"));
  if (!spec_of(study).stopping) return;
  std::uint64_t wide = 0;
  for (const PointResult& result : results) wide += result.stopped ? 0 : 1;
  if (wide > 0) {
    report_error(fmt::format("at {} of {} points, {} replications did not make the interval as narrow as asked for",
                             wide, results.size(), shape_of(study).replications));
  }
}

// ---- command -------------------------------------------------------------------------------------------------------

ExitStatus run_sweep(const Arguments& arguments) {
  std::optional<Request> request = read_request(arguments);
  if (!request) return ExitStatus::bad_input;
  const std::string& path = arguments.operands().front();
  const ResultRequest& wanted = request->results;
  std::vector<std::string> outputs = wanted.pictures();
  outputs.insert(outputs.end(), {wanted.rows, wanted.summary.value_or("-")});
  for (const std::string& output : outputs) {
    if (overwrites_input(path, output)) return ExitStatus::bad_input;
  }
  if (!has_plotters(wanted)) return ExitStatus::bad_input;
  std::optional<std::string> text = read_scenario_text(path);
  if (!text) return ExitStatus::bad_input;
  request->spec.text = *std::move(text);
  request->spec.options = with_files(std::move(request->spec.options), path);
  request->spec.file = input_name(path);

  const PrepareResult prepared = prepare_study(request->spec, request->jobs);
  if (prepared.study == nullptr) {
    std::uint64_t points = 1;
    for (const Dimension& dimension : request->spec.dimensions) points *= dimension.values.size();
    report_bad_study(prepared, request->spec, points, arguments.command());
    return ExitStatus::bad_input;
  }
  const Study& study = *prepared.study;
  if (!arguments.has("no-warnings")) {
    report_diagnostics(prepared.warnings);
    warn_of_sameness(study);
  }
  const Shard shard = request->output.shard;
  if (request->dry_run) {
    return write_output("-", matrix_text(study, shard)) ? ExitStatus::ok : ExitStatus::output_failed;
  }

  keep_memory_for_more_runs();
  auto opened = open_sweep_output(study, request->output);
  if (const auto* const status = std::get_if<ExitStatus>(&opened)) return *status;
  SweepOutput& output = *std::get<std::unique_ptr<SweepOutput>>(opened);
  const bool watched = standard_error_is_terminal() && !request->quiet;
  if (watched) write_standard_error(matrix_text(study, shard));

  bool failed = false;
  std::uint64_t limits = 0;
  std::vector<PointResult> results;
  SteadinessTable steadiness(shape_of(study).columns, shape_of(study).replications);
  std::vector<Distributions> distributions =
      distributions_to_plot(wanted, shape_of(study).columns, spec_of(study).dimensions, shape_of(study).replications);
  const auto add = [&](std::span<const Cell> cells) {
    steadiness.add(cells);
    return std::ranges::all_of(distributions, [cells](Distributions& one) { return one.add(cells); });
  };
  if (output.already() > 0 && !output.for_each_earlier(add)) return ExitStatus::bad_input;
  {
    SweepProgress progress(watched, runs_of(study, shard), output.already());
    const std::vector<Column>& columns = shape_of(study).columns;
    std::size_t limit = 0;
    while (columns[limit].name != "limit" || columns[limit].is_metric) ++limit;
    StudyHooks hooks;
    if (output.already() > 0) hooks.known = [&output](std::uint64_t run) { return output.known(run); };
    hooks.take = [&](Row&& row) {
      if (!std::holds_alternative<std::monostate>(row.cells[limit])) ++limits;
      failed = !add(row.cells);
      failed = failed || !output.take(std::move(row));
      progress.one_more();
      return !failed;
    };
    hooks.complete_below = [&output](std::uint64_t run) { output.complete_below(run); };
    results = run_study(study, shard, request->jobs, hooks);
  }
  // A stream reports its error in finish(); a journal has reported it in take(), and is kept.
  if (failed && output.reports_late()) static_cast<void>(output.finish());
  if (failed || !output.finish()) return ExitStatus::output_failed;
  report_limits(study, results, limits);
  const std::vector<SummaryPoint> points = summary_points(study, results, steadiness, request->comparison);
  const std::string unsteady = unsteady_text(points);
  if (!wanted.has_summary() && !unsteady.empty() && !arguments.has("no-warnings")) report_error(unsteady);
  const bool written = write_results(wanted, shape_of(study).title, spec_of(study).dimensions,
                                     summary_table(study, wanted.compare.value_or("")), points, distributions);
  return written ? ExitStatus::ok : ExitStatus::output_failed;
}

// ---- command line --------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {Operand{"FILE", kScenarioFile}};

constexpr std::array kVaryOptions = {
    Option{"vary", 'v', "NAME=RANGE", true,
           "give a param, or any place given as a JSON pointer, one value after another"},
    Option{"replications", 'n', "N", false, "runs of each point, with seeds of their own: 1"},
    Option{"until-half-width", 0, "WIDTH", false,
           "replicate until the mean of the first --metric is known to +- WIDTH: 2% of it, 100us"},
    Option{"metric", 'm', "NAME", true,
           "what to sum up; at first the first named callback's lateness_mean, and utilization"},
    Option{"callback", 0, "NAME", true, "which callbacks get columns of their own, instead of all that have names"},
    Option{"warm-up", 0, "TIME", false, "leave out what began before that time"},
    Option{"histogram", 0, "", false, "add a column with the histogram of the loop delay: --distribution loop_delay"},
    Option{"lines", 0, "", false, "add a column with the lines on standard output"},
    Option{"order", 0, "", false, "add a column with the order in which the named callbacks began"},
};

constexpr std::array kWorkOptions = {
    Option{"jobs", 'j', "N", false,
           "threads; as many as the machine runs at once. The output is the same for any number"},
    Option{"dry-run", 0, "", false, "print what would be run, and run nothing"},
    Option{"resume", 0, "", false,
           "go on with a sweep to the same FILE that was interrupted, or begin it; a finished FILE is left as it is"},
    Option{"shard", 0, "K/N", false, "run part K of N; loopsim merge puts the parts together"},
};

constexpr std::array kRowOptions = result_options(
    "a table of the points (the default on a terminal), or the rows as CSV (the default elsewhere), JSON lines, "
    "or an SQLite database",
    "add a column with the histogram of NAME: loop_delay, lateness, response, timer.latency ...",
    "plot the histogram of the first --distribution, or of the loop delay, over all runs of each point "
    "(files as for --plot)");

constexpr std::array kQuietOptions = {
    Option{"quiet", 'q', "", false, "show no progress"},
};

constexpr std::array<std::span<const Option>, 11> kOptions = {
    kVaryOptions, kScenarioOptions, kProgramOptions, kVariedMachineOptions, kSeedOptions,  kWorkOptions,
    kRowOptions,  kQuietOptions,    kOutputOptions,  kWarningOptions,       kCommonOptions};

}  // namespace

const Command kSweepCommand = {
    .name = "sweep",
    .usage = "FILE [--vary NAME=RANGE]... [OPTION]... [-- ARGUMENT...]",
    .summary = "Run a scenario many times with values varied, and measure each run.",
    .details =
        "A RANGE is a list of values and ranges with commas between them:\n"
        "  50ms,95ms            values: JSON or bare words\n"
        "  0:0.95:0.05          numbers from 0 to 0.95, exact in decimals\n"
        "  50ms:100ms:5ms       durations\n"
        "  log:1ms:1s:7         seven values at equal ratios\n"
        "Every combination of values is a point, the last --vary changing fastest; --machine, --load, --cores and\n"
        "--threads with a RANGE are a --vary. A row has the run's number, seed, parameters, trace hash and metrics\n"
        "(docs/studies.md). With --output FILE the rows are kept in FILE.partial until all are there.\n",
    .operands = kOperands,
    .least_operands = 1,
    .most_operands = 1,
    .options = kOptions,
    .run = run_sweep,
    .is_confined = true,
    .takes_arguments = true,
};

}  // namespace loopsim::cli
