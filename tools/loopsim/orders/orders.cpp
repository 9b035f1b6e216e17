// loopsim orders: finds the possible orders, the races, and the values at which one order turns into another.

#include "loopsim/orders.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "loopsim/known_differences.hpp"
#include "loopsim/machine_variation.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/study.hpp"
#include "loopsim/suggest.hpp"

#include "tools/loopsim/io/gnuplot.hpp"
#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/io/program_input.hpp"
#include "tools/loopsim/io/scenario_input.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/machine_options.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"
#include "tools/loopsim/orders/orders_report.hpp"

namespace loopsim::cli {
namespace {

// ---- request -------------------------------------------------------------------------------------------------------

using Pair = std::pair<CallbackRound, CallbackRound>;

struct Request {
  std::string path;
  std::string output = "-";
  std::string plot;
  bool json = false;
  bool shows_all = false;
  ReadOptions read;
  OrdersOptions orders;
  std::optional<Dimension> dimension;
  std::optional<ThresholdRange> threshold;
  std::uint32_t points = 64;
};

bool usage_error(const Arguments& arguments, const std::string& message, const std::string& suggestion = "") {
  report_usage_error({message, suggestion}, &arguments.command());
  return false;
}

// Reads a whole number from `least` to `most`, if the option is given. False if it is invalid (error reported).
template <typename Number>
bool read_number(const Arguments& arguments, const std::string& option, std::uint64_t least, std::uint64_t most,
                 Number& number) {
  if (!arguments.has(option)) return true;
  const std::string word = arguments.value_or(option, "");
  std::uint64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || stopped != end || value < least || value > most) {
    return usage_error(arguments, fmt::format("option --{} takes a whole number from {} to {}, not \"{}\"", option,
                                              least, most, word));
  }
  number = static_cast<Number>(value);
  return true;
}

// "tick", or "tick#2": the second time that it begins.
std::optional<CallbackRound> parse_round(std::string_view word) {
  CallbackRound round;
  const std::size_t sign = word.rfind('#');
  round.name = word.substr(0, sign);
  if (sign != std::string_view::npos) {
    const std::string_view number = word.substr(sign + 1);
    const char* const end = number.data() + number.size();
    const auto [stopped, error] = std::from_chars(number.data(), end, round.round);
    if (error != std::errc{} || stopped != end || round.round == 0) return std::nullopt;
  }
  if (round.name.empty()) return std::nullopt;
  return round;
}

bool read_pairs(const Arguments& arguments, std::vector<Pair>& pairs) {
  for (const std::string& word : arguments.values("pair")) {
    const std::size_t comma = word.find(',');
    const auto a = parse_round(std::string_view(word).substr(0, comma));
    const auto b = comma == std::string::npos ? std::nullopt : parse_round(std::string_view(word).substr(comma + 1));
    if (!a || !b) return usage_error(arguments, "option --pair takes A,B or A#ROUND,B#ROUND, not \"" + word + "\"");
    if (*a == *b) return usage_error(arguments, "option --pair takes two that are not the same, not \"" + word + "\"");
    pairs.emplace_back(*a, *b);
  }
  return true;
}

// `varied`: the options of the machine that are ranges.
bool read_ranges(const Arguments& arguments, std::vector<Dimension> varied, Request& request) {
  if (varied.size() + (arguments.has("vary") ? 1 : 0) > 1) {
    return usage_error(
        arguments,
        "orders varies one thing at a time: one --vary, or one RANGE among --machine, --load, --cores and --threads");
  }
  if (!varied.empty()) request.dimension = std::move(varied.front());
  if (arguments.has("vary")) {
    DimensionResult parsed = parse_dimension(arguments.value_or("vary", ""));
    if (!parsed.dimension) return usage_error(arguments, parsed.message, parsed.suggestion);
    request.dimension = std::move(parsed.dimension);
  }
  if (arguments.has("threshold")) {
    ThresholdRangeResult parsed = parse_threshold_range(arguments.value_or("threshold", ""));
    if (!parsed.range) return usage_error(arguments, parsed.message);
    request.threshold = std::move(parsed.range);
  }
  return true;
}

// Error message, in one sentence, for options that cannot be combined; empty: no error.
std::string contradiction(const Arguments& arguments, const Request& request) {
  const auto both = [&](std::string_view a, std::string_view b) { return arguments.has(a) && arguments.has(b); };
  if (request.threshold && request.dimension)
    return "--threshold and --vary are two different questions: ask one at a time";
  if (both("threshold", "runs")) return "--threshold looks at one seed, so there are no --runs";
  if (both("threshold", "plot")) return "--plot draws the orders of many runs; there is no picture of a --threshold";
  if (both("threshold", "vary-machine")) return "--threshold looks at one machine, so it cannot be a varying one";
  if (request.threshold && request.orders.pairs.size() > 1) return "--threshold takes one --pair at most";
  if (both("fixed-machine", "vary-machine")) return "--fixed-machine and --vary-machine are opposites";
  if (request.dimension && arguments.has("pair"))
    return "--vary reports the shares of whole orders, so there is no --pair";
  if (request.threshold && both("pair", "of")) return "--pair says already which callbacks the --threshold is about";
  if (arguments.has("points") && !request.threshold) return "--points is for a --threshold";
  if (request.dimension && request.dimension->values.size() < 2 && arguments.has("plot")) {
    return "--plot needs two values of --vary, or more";
  }
  return "";
}

std::optional<Request> read_request(const Arguments& arguments) {
  std::vector<Dimension> varied;
  const std::optional<ReadOptions> options = read_run_options(arguments, &varied);
  if (!options) return std::nullopt;
  Request request;
  request.read = *options;
  request.path = arguments.operands().front();
  request.output = arguments.value_or("output", "-");
  request.plot = arguments.value_or("plot", "");
  request.json = arguments.value_or("format", "text") == "json";
  request.shows_all = arguments.has("all");
  if (arguments.has("of")) {
    request.orders.of = arguments.value_or("of", "") == "output" ? OrderOf::output : OrderOf::callbacks;
  }
  if (!read_number(arguments, "runs", 1, kMostOrderRuns, request.orders.runs) ||
      !read_number(arguments, "jobs", 1, 1024, request.orders.jobs) ||
      !read_number(arguments, "points", 2, kMostThresholdPoints, request.points) ||
      !read_pairs(arguments, request.orders.pairs) || !read_ranges(arguments, std::move(varied), request)) {
    return std::nullopt;
  }
  if (const std::string wrong = contradiction(arguments, request); !wrong.empty()) {
    usage_error(arguments, wrong);
    return std::nullopt;
  }
  if (const std::string wrong = wrong_plot_file(request.plot); !wrong.empty()) {
    usage_error(arguments, wrong);
    return std::nullopt;
  }
  if (request.plot == request.output) {
    usage_error(arguments, "the report and the picture cannot go to the same place: " + request.plot);
    return std::nullopt;
  }
  if (overwrites_input(request.path, request.output)) return std::nullopt;
  if (!request.plot.empty() && overwrites_input(request.path, request.plot)) return std::nullopt;
  return request;
}

// Lays a real machine's variation over what the document and --set leave open; with `all`, over what they give, too.
// The first override of the result, unless a whole machine was set: later ones change what it says.
void vary_machine(const std::string& text, const Scenario& scenario, bool all, ReadOptions& options,
                  OrdersSubject& subject) {
  // Sorted by key: an ordered object looks through all keys for each that is added, and a document may have a million.
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  nlohmann::json machine =
      document.is_object() && document.contains("machine") ? document["machine"] : nlohmann::json::object();
  std::size_t place = 0;
  for (std::size_t i = 0; i < options.overrides.size(); ++i) {
    const auto& [name, value] = options.overrides[i];
    if (name != "/machine") continue;
    machine = nlohmann::json::parse(value, nullptr, false);
    if (machine.is_discarded()) machine = value;  // a bare word
    place = i + 1;
  }
  const auto lay = [&](const std::string& name, std::string value) {
    subject.machine.emplace_back(name, value);
    options.overrides.emplace(options.overrides.begin() + static_cast<std::ptrdiff_t>(place++), name, std::move(value));
  };
  using Json = nlohmann::ordered_json;
  Json keys = Json::object();
  const Profile* const profile = find_profile(scenario.runtime.profile);
  std::vector<MachineUncertainty> uncertainties = machine_uncertainties(profile == nullptr ? 0 : profile->major);
  if (profile != nullptr && profile->family == Family::browser) uncertainties.push_back(task_uncertainty());
  for (const MachineUncertainty& one : uncertainties) {
    if (!all && scenario.machine_given.*one.given) continue;
    (one.is_overhead ? keys["overhead"] : keys)[std::string(one.key)] = Json::parse(one.value);
  }
  if (machine.is_object() && !machine.empty()) {
    const bool has_overhead = machine.contains("overhead");
    for (const auto& [key, value] : keys.items()) {
      if (key != "overhead" || !has_overhead) {
        lay("/machine/" + key, value.dump());
        continue;
      }
      for (const auto& [cost, time] : value.items()) lay("/machine/overhead/" + cost, time.dump());
    }
    return;
  }
  if (machine.is_string()) keys["preset"] = machine;
  lay("/machine", keys.dump());
}

// Loads a scenario again with other values. Diagnostics are reported on failure only: the first load reported warnings.
std::optional<LoadedScenario> load_again(const std::string& text, const Request& request, const ReadOptions& options) {
  ReadResult read = read_scenario(text, input_name(request.path), options);
  CompileResult compiled;
  if (read.scenario) compiled = compile(*read.scenario);
  if (compiled.program) return LoadedScenario{*std::move(read.scenario), std::move(compiled.program)};
  report_diagnostics(read.diagnostics);
  report_diagnostics(compiled.diagnostics);
  return std::nullopt;
}

// ---- studies and reports -------------------------------------------------------------------------------------------

// The picture first: a report on standard output cannot be taken back.
bool write_results(const Request& request, const std::string& report, const Plot& plot) {
  if (!request.plot.empty() && !write_plot(request.plot, plot)) return false;
  return write_output(request.output, report);
}

OrdersSubject subject_of(const Request& request, const LoadedScenario& loaded) {
  OrdersSubject subject;
  subject.file = input_name(request.path);
  subject.title = loaded.scenario.title;
  subject.runtime = loaded.scenario.runtime.profile;
  subject.shows_all = request.shows_all;
  return subject;
}

// False, after reporting the error, if a callback of --pair is none of judged_callbacks().
bool knows_pairs(const Request& request, const LoadedScenario& loaded) {
  if (request.orders.pairs.empty()) return true;
  const std::vector<std::string> names = judged_callbacks(loaded.scenario, *loaded.program);
  for (const auto& [a, b] : request.orders.pairs) {
    for (const CallbackRound* const one : {&a, &b}) {
      if (std::ranges::find(names, one->name) != names.end()) continue;
      const std::vector<std::string_view> known(names.begin(), names.end());
      const std::string close = nearest(one->name, known);
      report_error(fmt::format("--pair: no callback of the {} has the name \"{}\"{}",
                               loaded.scenario.script ? "program" : "scenario", one->name,
                               close.empty() ? "" : "; did you mean \"" + close + "\"?"));
      return false;
    }
  }
  return true;
}

ExitStatus report_threshold(const Request& request, const std::string& text, const OrdersSubject& subject) {
  ThresholdSpec spec;
  spec.text = text;
  spec.file = input_name(request.path);
  spec.options = request.read;
  spec.range = *request.threshold;
  spec.of = request.orders.of;
  if (!request.orders.pairs.empty()) spec.pair = request.orders.pairs.front();
  spec.points = request.points;
  spec.jobs = request.orders.jobs;
  const ThresholdResult result = study_threshold(spec);
  if (!result.ok) {
    report_diagnostics(result.diagnostics);
    report_error(fmt::format("the scenario cannot be run with {}={}", spec.range.name, result.value));
    return ExitStatus::bad_input;
  }
  const std::string report =
      request.json ? json_report(result, spec.range, subject) : text_report(result, spec.range, spec.points, subject);
  return write_results(request, report, {}) ? ExitStatus::ok : ExitStatus::output_failed;
}

ExitStatus report_varied(const Request& request, const std::string& text, const OrdersSubject& subject) {
  VariedOrders varied;
  varied.dimension = *request.dimension;
  // Read all points before running the first.
  std::vector<LoadedScenario> points;
  OrdersOptions options = request.orders;
  options.judge_pairs = false;
  for (const std::string& value : varied.dimension.values) {
    ReadOptions read = request.read;
    read.overrides.emplace_back(varied.dimension.name, value);
    std::optional<LoadedScenario> loaded = load_again(text, request, read);
    if (!loaded) {
      report_error(fmt::format("the scenario cannot be run with {}={}", varied.dimension.name, value));
      return ExitStatus::bad_input;
    }
    points.push_back(*std::move(loaded));
  }
  for (const LoadedScenario& point : points) {
    varied.results.push_back(study_orders(point.scenario, *point.program, options));
  }
  const std::string report = request.json ? json_report(varied, subject) : text_report(varied, subject);
  const Plot plot = request.plot.empty() ? Plot() : plot_of(varied, subject);
  return write_results(request, report, plot) ? ExitStatus::ok : ExitStatus::output_failed;
}

ExitStatus run_orders(const Arguments& arguments) {
  std::optional<Request> request = read_request(arguments);
  if (!request) return ExitStatus::bad_input;
  const std::optional<std::string> text = read_scenario_text(request->path);
  if (!text) return ExitStatus::bad_input;
  request->read = with_files(std::move(request->read), request->path);
  // The document may be valid only with the varied value set: read it with the first value of the range.
  std::optional<std::pair<std::string, std::string>> first;
  if (request->threshold) {
    first.emplace(request->threshold->name, request->threshold->text(request->threshold->from));
  } else if (request->dimension) {
    first.emplace(request->dimension->name, request->dimension->values.front());
  }
  ReadOptions options = request->read;
  if (first) options.overrides.push_back(*first);
  std::optional<LoadedScenario> loaded = load_document(*text, request->path, options);
  if (!loaded || !knows_pairs(*request, *loaded)) return ExitStatus::bad_input;
  // A script gives its callbacks no names by which their orders could be told apart.
  if (loaded->scenario.script && !request->orders.of) request->orders.of = OrderOf::output;
  OrdersSubject subject = subject_of(*request, *loaded);
  const bool varies_all = arguments.has("vary-machine");
  const bool varies_open =
      !arguments.has("fixed-machine") && !request->threshold && leaves_machine_open(loaded->scenario.machine_given);
  if (varies_all || varies_open) {
    vary_machine(*text, loaded->scenario, varies_all, request->read, subject);
    options = request->read;
    if (first) options.overrides.push_back(*first);
    loaded = load_again(*text, *request, options);
    if (!loaded) return ExitStatus::bad_input;
  }
  if (!arguments.has("no-warnings")) report_diagnostics(warnings_of(loaded->scenario));
  if (!request->plot.empty() && !has_plotter(request->plot)) return ExitStatus::bad_input;

  if (request->threshold) return report_threshold(*request, *text, subject);
  if (request->dimension) return report_varied(*request, *text, subject);
  const OrdersResult result = study_orders(loaded->scenario, *loaded->program, request->orders);
  const std::string report = request->json ? json_report(result, subject) : text_report(result, subject);
  const Plot plot = request->plot.empty() ? Plot() : plot_of(result, subject);
  return write_results(*request, report, plot) ? ExitStatus::ok : ExitStatus::output_failed;
}

// ---- command line --------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {Operand{"FILE", kScenarioFile}};

constexpr std::array kOwnOptions = {
    Option{"runs", 'n', "N", false, "how many runs, each with a seed of its own (1000)"},
    Option{"of", 0, "output|callbacks", false,
           "whose order: the lines of output (the default, when there are any), or the named callbacks"},
    Option{"pair", 'p', "A,B", true, "judge only these two callbacks; A#2 is the second time that A begins"},
    Option{
        "vary-machine", 0, "", false,
        "let the machine vary from run to run also where the scenario says what it is: start-up, wake-up latency, the "
        "clock's phase, Node's own costs. What it leaves open varies anyway"},
    Option{"fixed-machine", 0, "", false, "take the machine as the scenario has it, and ideal where it says nothing"},
    Option{"vary", 'v', "NAME=RANGE", false, "report the shares for each value: 0ms:5ms:0.5ms, 1,2,4 or log:1ms:1s:7"},
    Option{"threshold", 't', "NAME=FROM:TO", false, "find the values at which the order turns, exactly"},
    Option{"points", 0, "N", false, "of the scan that --threshold begins with (64)"},
    Option{"plot", 0, "FILE", false,
           "draw the shares as well, with --vary as stacked areas, as FILE.svg, FILE.png, FILE.pdf (these need "
           "gnuplot), FILE.csv: the numbers, or FILE.gp: the gnuplot script"},
    Option{"all", 'a', "", false, "leave nothing out of long lists"},
    Option{"format", 'f', "text|json", false, "a report to read (the default), or JSON for tools"},
    Option{"jobs", 'j', "N", false, "threads; the result does not depend on it (as many as the machine runs at once)"},
};

constexpr std::array<std::span<const Option>, 8> kOptions = {kScenarioOptions, kProgramOptions, kVariedMachineOptions,
                                                             kSeedOptions,     kOwnOptions,     kOutputOptions,
                                                             kWarningOptions,  kCommonOptions};

}  // namespace

const Command kOrdersCommand = {
    .name = "orders",
    .usage = "FILE [OPTION]... [-- ARGUMENT...]",
    .summary =
        "Run a scenario many times: which orders occur, how often, which pairs are races and which are guaranteed.",
    .details =
        "  loopsim orders FILE                               orders and their shares, and a verdict for each pair\n"
        "  loopsim orders FILE --fixed-machine               the same on the scenario's machine as it stands\n"
        "  loopsim orders FILE --threshold startup=0ms:5ms   the start-up at which one order turns into the other\n"
        "  loopsim orders FILE --load 0:0.9:0.1 --plot orders.svg\n"
        "Each order comes with a seed: loopsim run FILE --seed SEED shows it.\n",
    .operands = kOperands,
    .least_operands = 1,
    .most_operands = 1,
    .options = kOptions,
    .run = run_orders,
    .is_confined = true,
    .takes_arguments = true,
};

}  // namespace loopsim::cli
