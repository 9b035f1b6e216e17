// loopsim plot: draws saved rows of sweeps, without running anything.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"

#include "tools/loopsim/io/gnuplot.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"
#include "tools/loopsim/line/paths.hpp"
#include "tools/loopsim/plot/axis.hpp"
#include "tools/loopsim/plot/chart.hpp"
#include "tools/loopsim/sweep/distribution_plot.hpp"
#include "tools/loopsim/sweep/distributions.hpp"
#include "tools/loopsim/sweep/saved_rows.hpp"
#include "tools/loopsim/sweep/sweep_summary.hpp"

namespace loopsim::cli {
namespace {

// ---- request -------------------------------------------------------------------------------------------------------

struct Request {
  std::vector<std::string> outputs;
  std::vector<std::string> metrics;
  std::optional<DistributionPlot> kind;  // nothing: means
  std::string distribution;
  std::string across;
  std::string title;
};

std::optional<Request> read_request(const Arguments& arguments) {
  const auto wrong = [&arguments](const std::string& message) -> std::optional<Request> {
    report_usage_error({message, ""}, &arguments.command());
    return std::nullopt;
  };
  Request request;
  request.outputs.assign(arguments.values("output").begin(), arguments.values("output").end());
  if (request.outputs.empty()) request.outputs = {"-"};
  request.metrics.assign(arguments.values("metric").begin(), arguments.values("metric").end());
  request.across = arguments.value_or("across", "");
  request.title = arguments.value_or("title", "");
  constexpr std::array<std::pair<std::string_view, DistributionPlot>, 3> kKinds = {
      {{"cdf", DistributionPlot::cdf}, {"ccdf", DistributionPlot::ccdf}, {"histogram", DistributionPlot::histogram}}};
  for (const auto& [option, kind] : kKinds) {
    if (!arguments.has(option)) continue;
    if (request.kind) return wrong("a plot shows one: --cdf, --ccdf or --histogram");
    request.kind = kind;
    request.distribution = arguments.value_or(option, "");
  }
  if (request.kind && arguments.has("metric")) {
    return wrong("a plot shows the distribution of one thing or the means of metrics, not both");
  }
  if (request.kind && arguments.has("across")) return wrong("--across is for the means of metrics");
  for (std::size_t i = 0; i < request.outputs.size(); ++i) {
    if (const std::string bad = wrong_plot_file(request.outputs[i]); !bad.empty()) return wrong(bad);
    if (std::count(request.outputs.begin(), request.outputs.end(), request.outputs[i]) > 1) {
      return wrong(fmt::format("the plot cannot go to {} twice",
                               request.outputs[i] == "-" ? "standard output" : request.outputs[i]));
    }
  }
  return request;
}

// ---- names ---------------------------------------------------------------------------------------------------------

// The values of a group, without dimension `without`: "busy = 5 ms, n = 2".
std::string name_of(const SavedRows& rows, const RowGroup& group, std::size_t without) {
  std::string name;
  for (std::size_t i = 0; i < group.values.size(); ++i) {
    if (i == without) continue;
    const Dimension& dimension = rows.dimensions[i];
    const std::vector<std::string> shown = shown_values(dimension.values);
    const auto place = std::ranges::find(dimension.values, group.values[i]) - dimension.values.begin();
    // A file's name says by itself what it is.
    const std::string what = dimension.name == "file" ? "" : dimension.name + " = ";
    name += fmt::format("{}{}{}", name.empty() ? "" : ", ", what, shown[static_cast<std::size_t>(place)]);
  }
  return name;
}

// "timer.latency" of "timer.latency_p50" and "timer.latency_p99"; else all, with commas between.
std::string common_name(const std::vector<std::string>& metrics) {
  std::string common = metrics.front();
  for (const std::string& metric : metrics) {
    const auto differ = std::ranges::mismatch(common, metric).in1;
    common.erase(differ, common.end());
  }
  if (metrics.size() == 1) return common;
  while (!common.empty() && common.back() != '_' && common.back() != '.') common.pop_back();
  if (!common.empty()) return common.substr(0, common.size() - 1);
  return fmt::format("{}", fmt::join(metrics, ", "));
}

// ---- means ---------------------------------------------------------------------------------------------------------

// Which dimension is on the x axis. Nothing, after reporting the error, if there is none.
std::optional<std::size_t> dimension_across(const Request& request, const SavedRows& rows, const Command& command) {
  std::vector<std::string_view> names;
  for (const Dimension& dimension : rows.dimensions) names.push_back(dimension.name);
  const auto found = std::ranges::find(names, request.across);
  if (!request.across.empty() && found == names.end()) {
    const std::string known = names.empty() ? "nothing does" : fmt::format("these do: {}", fmt::join(names, ", "));
    report_usage_error(
        {fmt::format("\"{}\" does not vary in the rows; {}", request.across, known), nearest(request.across, names)},
        &command);
    return std::nullopt;
  }
  if (names.empty() || (names.size() == 1 && names.front() == "file" && request.across.empty())) {
    report_error("nothing varies in the rows: a plot of means needs something to draw them against");
    return std::nullopt;
  }
  return request.across.empty() ? 0 : static_cast<std::size_t>(found - names.begin());
}

std::string numbers_of(const SavedRows& rows) {
  SummaryTable table;
  for (const Dimension& dimension : rows.dimensions) table.dimensions.push_back(dimension.name);
  table.metrics = rows.metrics;
  table.units.resize(rows.metrics.size());
  std::vector<SummaryPoint> points;
  for (const RowGroup& group : rows.groups) {
    SummaryPoint& point = points.emplace_back();
    point.values = group.values;
    point.replications = group.metrics.front().size();
    for (const std::vector<double>& values : group.metrics) point.estimates.push_back(estimate_of(values));
  }
  return summary_csv(table, points);
}

// Nothing, after reporting the error, if the rows cannot be in one chart.
std::optional<Plot> plot_of_means(const Request& request, const SavedRows& rows, const Command& command) {
  const std::string unit = unit_of_metric(rows.metrics.front());
  for (const std::string& metric : rows.metrics) {
    if (unit_of_metric(metric) == unit) continue;
    const std::string& first = rows.metrics.front();
    const auto in = [](const std::string& of) { return of.empty() ? "is a number" : "is in " + of; };
    report_usage_error({fmt::format("{} and {} cannot share an axis: one {}, the other {}", first, metric, in(unit),
                                    in(unit_of_metric(metric))),
                        ""},
                       &command);
    return std::nullopt;
  }
  const std::optional<std::size_t> across = dimension_across(request, rows, command);
  if (!across) return std::nullopt;

  const Dimension& dimension = rows.dimensions[*across];
  const Places places = places_of(dimension.values);
  Chart chart;
  chart.title = request.title.empty() ? rows.title : request.title;
  chart.x_name = dimension.name;
  chart.x_is_time = places.are_durations;
  chart.y_name = common_name(rows.metrics);
  chart.y_unit = unit;
  chart.numbers = numbers_of(rows);
  if (places.numbers.empty()) chart.categories = dimension.values;
  for (std::size_t metric = 0; metric < rows.metrics.size(); ++metric) {
    for (const RowGroup& group : rows.groups) {
      std::string name = name_of(rows, group, *across);
      if (rows.metrics.size() > 1) name = rows.metrics[metric] + (name.empty() ? "" : ", ") + name;
      auto line = std::ranges::find(chart.lines, name, &ChartLine::name);
      if (line == chart.lines.end()) line = chart.lines.insert(line, {name, {}});
      const auto value = static_cast<std::size_t>(std::ranges::find(dimension.values, group.values[*across]) -
                                                  dimension.values.begin());
      const Estimate estimate = estimate_of(group.metrics[metric]);
      const double mean = estimate.count == 0 ? std::nan("") : estimate.mean;
      line->points.push_back({places.numbers.empty() ? static_cast<double>(value) : places.numbers[value], mean,
                              mean - estimate.half_width, mean + estimate.half_width,
                              name_of(rows, group, rows.dimensions.size())});
    }
  }
  if (chart.lines.size() > kGnuplotColors) {
    report_error(fmt::format("the plot has {} lines, {} can be told apart: choose with --across what is on the x axis",
                             chart.lines.size(), kGnuplotColors));
    return std::nullopt;
  }
  return draw(chart);
}

// ---- distributions -------------------------------------------------------------------------------------------------

std::optional<Plot> plot_of_distribution(const Request& request, const SavedRows& rows) {
  std::vector<Distribution> points;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> values;
  for (const RowGroup& group : rows.groups) {
    Distribution& point = points.emplace_back();
    for (const std::string& histogram : group.histograms) {
      if (point.add(histogram)) continue;
      report_error(fmt::format("the histogram of {} in a row cannot be read: \"{}\"", request.distribution,
                               plot_text_within(histogram, 500)));
      return std::nullopt;
    }
    names.push_back(name_of(rows, group, rows.dimensions.size()));
    values.push_back(group.values);
  }
  if (points.size() > kGnuplotColors) {
    report_error(
        fmt::format("the plot of a distribution has a line for each point: {} are too many, {} can be told apart",
                    points.size(), kGnuplotColors));
    return std::nullopt;
  }
  if (!has_values(request.distribution, points)) return std::nullopt;
  const std::string& title = request.title.empty() ? rows.title : request.title;
  Plot plot = plot_distributions(*request.kind, title, request.distribution, names, points);
  std::vector<std::string> dimensions;
  for (const Dimension& dimension : rows.dimensions) dimensions.push_back(dimension.name);
  plot.numbers = distribution_csv(dimensions, values, points);
  return plot;
}

// ---- command -------------------------------------------------------------------------------------------------------

ExitStatus run_plot(const Arguments& arguments) {
  const std::optional<Request> request = read_request(arguments);
  if (!request) return ExitStatus::bad_input;
  for (const std::string& path : arguments.operands()) {
    for (const std::string& output : request->outputs) {
      if (!is_same_file(path, output)) continue;
      report_error("the plot would overwrite the rows: " + output);
      return ExitStatus::bad_input;
    }
  }
  for (const std::string& output : request->outputs) {
    if (!has_plotter(output)) return ExitStatus::bad_input;
  }
  const std::optional<SavedRows> rows = read_saved_rows(arguments.operands(), request->metrics, request->distribution);
  if (!rows) return ExitStatus::bad_input;
  if (rows->groups.empty()) {
    report_error("there are no rows to plot");
    return ExitStatus::bad_input;
  }
  const std::optional<Plot> plot =
      request->kind ? plot_of_distribution(*request, *rows) : plot_of_means(*request, *rows, arguments.command());
  if (!plot) return ExitStatus::bad_input;
  for (const std::string& output : request->outputs) {
    if (!write_plot(output, *plot)) return ExitStatus::output_failed;
  }
  return ExitStatus::ok;
}

// ---- command line --------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {
    Operand{"ROWS...", "rows that loopsim sweep or merge has written, in any of its formats; - is standard input"}};

constexpr std::array kPlotOptions = {
    Option{"output", 'o', "FILE", true,
           "draw as FILE.svg, FILE.png, FILE.pdf (these need gnuplot), FILE.csv: the numbers, or FILE.gp: the gnuplot "
           "script; without it, an SVG to standard output"},
    Option{"metric", 'm', "NAME", true,
           "plot the mean of a metric with its confidence band: of the first callback's lateness_mean. Several share "
           "the axis"},
    Option{"across", 'x', "NAME", false,
           "what is on the x axis, instead of the first that varies; the others make the lines"},
    Option{"cdf", 0, "NAME", false,
           "plot the cumulative distribution of NAME, such as timer.latency, from rows with that --distribution"},
    Option{"ccdf", 0, "NAME", false, "the same for the share of values beyond, on a logarithmic axis: the tail"},
    Option{"histogram", 0, "NAME", false, "plot the histogram of NAME, from the same rows"},
    Option{"title", 0, "TEXT", false, "the title, instead of the scenario's"},
};

constexpr std::array<std::span<const Option>, 2> kOptions = {kPlotOptions, kCommonOptions};

}  // namespace

const Command kPlotCommand = {
    .name = "plot",
    .usage = "ROWS... [OPTION]...",
    .summary = "Plot the saved rows of sweeps, without running again.",
    .details =
        "Means are drawn as loopsim sweep --plot does it. Several files with the same columns are drawn into one\n"
        "picture, with lines of their own.\n",
    .operands = kOperands,
    .least_operands = 1,
    .most_operands = Command::kAnyNumber,
    .options = kOptions,
    .run = run_plot,
    .is_confined = true,
};

}  // namespace loopsim::cli
