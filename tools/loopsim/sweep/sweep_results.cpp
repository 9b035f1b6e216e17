#include "tools/loopsim/sweep/sweep_results.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tools/loopsim/io/gnuplot.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/sweep/sweep_plot.hpp"

namespace loopsim::cli {
namespace {

const Distributions& named(std::span<const Distributions> all, std::string_view name) {
  return *std::ranges::find_if(all, [name](const Distributions& one) { return one.name() == name; });
}

// False if there is nothing to draw or a file could not be written (error reported).
bool write_distribution_plots(std::span<const std::string> paths, DistributionPlot kind, std::string_view title,
                              std::span<const Dimension> dimensions, const Distributions& distributions) {
  if (!has_values(distributions.name(), distributions.points())) return false;
  std::vector<std::string> names;
  for (const Dimension& dimension : dimensions) names.push_back(dimension.name);
  std::vector<std::string> lines;
  std::vector<std::vector<std::string>> values;
  for (std::uint64_t point = 0; point < distributions.points().size(); ++point) {
    lines.push_back(point_name(dimensions, point));
    std::vector<std::string> own(dimensions.size());
    std::uint64_t left = point;
    for (std::size_t i = dimensions.size(); i-- > 0;) {
      own[i] = dimensions[i].values[left % dimensions[i].values.size()];
      left /= dimensions[i].values.size();
    }
    values.push_back(std::move(own));
  }
  Plot plot = plot_distributions(kind, title, distributions.name(), lines, distributions.points());
  plot.numbers = distribution_csv(names, values, distributions.points());
  return std::ranges::all_of(paths, [&plot](const std::string& path) { return write_plot(path, plot); });
}

}  // namespace

std::vector<std::string> ResultRequest::pictures() const {
  std::vector<std::string> all = plots;
  all.insert(all.end(), histograms.begin(), histograms.end());
  return all;
}

std::vector<std::string> ResultRequest::plotted_distributions() const {
  std::vector<std::string> names;
  if (!histograms.empty()) names.push_back(histogram);
  const bool has_own = distribution_plot && !plots.empty();
  if (has_own && (names.empty() || names.front() != plotted)) names.push_back(plotted);
  return names;
}

ResultRequest read_result_request(const Arguments& arguments) {
  const auto all = [&arguments](std::string_view option) {
    const std::span<const std::string> values = arguments.values(option);
    return std::vector<std::string>(values.begin(), values.end());
  };
  const auto path = [&arguments](std::string_view option) {
    return arguments.has(option) ? std::optional(arguments.value_or(option, "-")) : std::nullopt;
  };
  ResultRequest request;
  request.rows = arguments.value_or("output", "-");
  const std::string format = arguments.value_or("format", "");
  request.format = parse_row_format(format);
  request.is_chosen_for_terminal =
      !arguments.has("format") && !arguments.has("output") && standard_output_is_terminal();
  request.table = format == "table" || request.is_chosen_for_terminal;
  request.summary = path("summary");
  request.compare = path("compare");
  request.plots = all("plot");
  request.histograms = all("plot-histogram");
  request.distributions = all("distribution");
  request.histogram = request.distributions.empty() ? "loop_delay" : request.distributions.front();
  if (arguments.has("cdf") || arguments.has("ccdf")) {
    const std::string option = arguments.has("cdf") ? "cdf" : "ccdf";
    request.distribution_plot = option == "cdf" ? DistributionPlot::cdf : DistributionPlot::ccdf;
    request.plotted = arguments.value_or(option, "");
  }
  return request;
}

std::string wrong_for_plots(const Arguments& arguments, const ResultRequest& request,
                            std::span<const Dimension> dimensions) {
  if (arguments.has("cdf") && arguments.has("ccdf")) return "--plot draws one: --cdf or --ccdf";
  if (request.distribution_plot && request.plots.empty()) {
    return fmt::format("--{} says what --plot draws: name its file, --plot FILE.svg",
                       arguments.has("cdf") ? "cdf" : "ccdf");
  }
  for (const std::string& path : request.pictures()) {
    if (const std::string wrong = wrong_plot_file(path); !wrong.empty()) return wrong;
  }
  std::string wrong;
  if (request.distribution_plot) {
    wrong = wrong_for_distribution_plot(dimensions, *request.distribution_plot);
  } else if (!request.plots.empty()) {
    wrong = wrong_for_plot(dimensions);
  }
  if (!request.histograms.empty() && wrong.empty()) {
    wrong = wrong_for_distribution_plot(dimensions, DistributionPlot::histogram);
  }
  return wrong;
}

bool has_plotters(const ResultRequest& request) {
  return std::ranges::all_of(request.pictures(), [](const std::string& path) { return has_plotter(path); });
}

std::string same_destination(const ResultRequest& request) {
  struct Output {
    std::string_view name;
    std::string_view place;
  };
  std::vector<Output> outputs = {{"the rows", request.rows}};
  // "-" is standard error for a summary
  if (request.summary && request.summary != "-") outputs.push_back({"the summary", *request.summary});
  for (const std::string& path : request.plots) outputs.push_back({"the plot", path});
  for (const std::string& path : request.histograms) outputs.push_back({"the plot of the histogram", path});
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = i + 1; j < outputs.size(); ++j) {
      if (outputs[i].place.empty() || outputs[i].place != outputs[j].place) continue;
      const std::string_view place = outputs[i].place == "-" ? "standard output" : outputs[i].place;
      if (outputs[i].name == outputs[j].name) return fmt::format("{} cannot go to {} twice", outputs[i].name, place);
      return fmt::format("{} and {} cannot both go to {}", outputs[i].name, outputs[j].name, place);
    }
  }
  return "";
}

std::string wrong_for_rows(const ResultRequest& request, RowFormat format) {
  if (request.table) {
    return request.rows == "-" ? "" : "a table goes to standard output: --summary FILE writes it to a file";
  }
  if (format != RowFormat::sqlite || request.rows != "-") return "";
  return "a database is a file: --format sqlite needs --output FILE";
}

void add_differences(std::span<SummaryPoint> points, std::span<const std::vector<double>> values,
                     std::span<const Dimension> dimensions, Comparison comparison) {
  const std::size_t metrics = points.empty() ? 0 : points.front().estimates.size();
  const auto column = [&](std::size_t point, std::size_t metric) {
    std::vector<double> taken;
    for (std::size_t i = metric; i < values[point].size(); i += metrics) taken.push_back(values[point][i]);
    return taken;
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::uint64_t reference = reference_of(i, dimensions, comparison);
    if (reference == i) continue;
    for (std::size_t metric = 0; metric < metrics; ++metric) {
      points[i].differences.push_back(difference_of(column(i, metric), column(reference, metric)));
    }
  }
}

std::vector<Distributions> distributions_to_plot(const ResultRequest& request, std::span<const Column> columns,
                                                 std::span<const Dimension> dimensions, std::uint64_t replications) {
  std::uint64_t points = 1;
  for (const Dimension& dimension : dimensions) points *= dimension.values.size();
  std::vector<Distributions> all;
  for (const std::string& name : request.plotted_distributions()) all.emplace_back(name, columns, points, replications);
  return all;
}

bool write_results(const ResultRequest& request, std::string_view title, std::span<const Dimension> dimensions,
                   const SummaryTable& table, std::span<const SummaryPoint> points,
                   std::span<const Distributions> distributions) {
  if (request.table) {
    const std::string_view rows =
        request.is_chosen_for_terminal ? "rows, a line for each run: -o rows.csv, or a pipe\n" : "";
    if (!write_output("-", fmt::format("{}{}", summary_text(table, points), rows))) return false;
  }
  if (request.summary && !write_summary(*request.summary, table, points)) return false;
  if (request.distribution_plot && !request.plots.empty()) {
    const Distributions& plotted = named(distributions, request.plotted);
    if (!write_distribution_plots(request.plots, *request.distribution_plot, title, dimensions, plotted)) return false;
  } else if (!request.plots.empty()) {
    const Plot plot = sweep_plot(title, dimensions, table, points);
    for (const std::string& path : request.plots) {
      if (!write_plot(path, plot)) return false;
    }
  }
  if (request.histograms.empty()) return true;
  return write_distribution_plots(request.histograms, DistributionPlot::histogram, title, dimensions,
                                  named(distributions, request.histogram));
}

}  // namespace loopsim::cli
