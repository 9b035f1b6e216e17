#include "tools/loopsim/sweep/sweep_results.hpp"

#include <fmt/format.h>

#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/sweep/sweep_plot.hpp"

namespace loopsim::cli {

ResultRequest read_result_request(const Arguments& arguments) {
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
  request.plot = path("plot");
  request.plot_histogram = path("plot-histogram");
  return request;
}

std::string wrong_for_plots(const ResultRequest& request, std::span<const Dimension> dimensions) {
  std::string wrong = request.plot ? wrong_for_plot(dimensions) : "";
  if (request.plot_histogram && wrong.empty()) wrong = wrong_for_histogram_plot(dimensions);
  return wrong;
}

std::string same_destination(const ResultRequest& request) {
  struct Output {
    std::string_view name;
    std::string_view place;  // empty: none
  };
  const auto place = [](const std::optional<std::string>& path) { return path ? std::string_view(*path) : ""; };
  const std::string_view summary = place(request.summary);
  const std::array<Output, 4> outputs = {{{"the rows", request.rows},
                                          {"the summary", summary == "-" ? "" : summary},  // "-": standard error
                                          {"the plot", place(request.plot)},
                                          {"the plot of the histogram", place(request.plot_histogram)}}};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = i + 1; j < outputs.size(); ++j) {
      if (outputs[i].place.empty() || outputs[i].place != outputs[j].place) continue;
      return fmt::format("{} and {} cannot both go to {}", outputs[i].name, outputs[j].name,
                         outputs[i].place == "-" ? "standard output" : outputs[i].place);
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

bool write_results(const ResultRequest& request, std::string_view title, std::span<const Dimension> dimensions,
                   const SummaryTable& table, std::span<const SummaryPoint> points,
                   const std::optional<DelayHistograms>& histograms) {
  if (request.table) {
    const std::string_view rows =
        request.is_chosen_for_terminal ? "rows, a line for each run: -o rows.csv, or a pipe\n" : "";
    if (!write_output("-", fmt::format("{}{}", summary_text(table, points), rows))) return false;
  }
  if (request.summary && !write_summary(*request.summary, table, points)) return false;
  if (request.plot && !write_sweep_plot(*request.plot, title, dimensions, table, points)) return false;
  return !request.plot_histogram || histograms->write(*request.plot_histogram, title);
}

}  // namespace loopsim::cli
