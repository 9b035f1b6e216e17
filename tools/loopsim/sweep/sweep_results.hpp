// Results common to `sweep` and `merge`: the file of rows, a summary and plots; with their options, and how they are
// read and written.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/sweep/distribution_plot.hpp"
#include "tools/loopsim/sweep/distributions.hpp"
#include "tools/loopsim/sweep/sweep_rows.hpp"
#include "tools/loopsim/sweep/sweep_summary.hpp"

namespace loopsim::cli {

inline constexpr std::size_t kResultOptionCount = 8;

// The help texts of --format, --distribution and --plot-histogram differ between the commands.
[[nodiscard]] constexpr std::array<Option, kResultOptionCount> result_options(std::string_view format_help,
                                                                              std::string_view distribution_help,
                                                                              std::string_view histogram_help) {
  return {
      Option{"format", 'f', "table|csv|jsonl|sqlite", false, format_help},
      Option{"summary", 0, "FILE", false,
             "sum up each point: to FILE, as CSV when it ends with .csv; - is a table on standard error"},
      Option{"compare", 0, "NAME=VALUE", false,
             "sum up the differences from the points with this value, too, of runs with the same seed"},
      Option{"distribution", 0, "NAME", true, distribution_help},
      Option{"plot", 0, "FILE", true,
             "plot the mean of the first --metric against the first --vary, with its confidence band, as FILE.svg, "
             "FILE.png, FILE.pdf (these need gnuplot), FILE.csv: its numbers, or FILE.gp: its gnuplot script"},
      Option{"cdf", 0, "NAME", false,
             "let --plot draw the cumulative distribution of NAME, such as timer.latency, over all runs of each point"},
      Option{"ccdf", 0, "NAME", false, "the same for the share of values beyond, on a logarithmic axis: the tail"},
      Option{"plot-histogram", 0, "FILE", true, histogram_help},
  };
}

// Paths; - is a standard stream.
struct ResultRequest {
  std::string rows = "-";
  std::optional<RowFormat> format;      // nothing: not given, or a table
  bool table = false;                   // the summary on standard output instead of the rows
  bool is_chosen_for_terminal = false;  // the table, since no format was given
  std::optional<std::string> summary;
  std::optional<std::string> compare;  // NAME=VALUE
  std::vector<std::string> plots;
  std::optional<DistributionPlot> distribution_plot;  // nothing: `plots` are of means
  std::string plotted;                                // the name of the distribution that `plots` show
  std::vector<std::string> histograms;                // paths
  std::string histogram;                              // the name of the distribution that they show
  std::vector<std::string> distributions;             // to keep in the rows, with those that are plotted

  [[nodiscard]] bool has_plots() const { return !plots.empty() || !histograms.empty(); }
  // All paths of plots.
  [[nodiscard]] std::vector<std::string> pictures() const;
  // Names of the distributions that are plotted, each once.
  [[nodiscard]] std::vector<std::string> plotted_distributions() const;
  [[nodiscard]] bool has_summary() const { return table || summary; }
};

// Reads these options and --output. `arguments` must have been checked against the table.
[[nodiscard]] ResultRequest read_result_request(const Arguments& arguments);

// Error message, in one sentence, if the options contradict each other or the plots cannot show these dimensions;
// empty: no error.
[[nodiscard]] std::string wrong_for_plots(const Arguments& arguments, const ResultRequest& request,
                                          std::span<const Dimension> dimensions);

// Whether there is what the plots need; if not, reports an error.
[[nodiscard]] bool has_plotters(const ResultRequest& request);

// Error message, in one sentence, if two of rows and plots have the same destination; empty: no error.
[[nodiscard]] std::string same_destination(const ResultRequest& request);

// Error message, in one sentence, if `format`, or a table, cannot be written to the destination of the rows; empty: no
// error.
[[nodiscard]] std::string wrong_for_rows(const ResultRequest& request, RowFormat format);

// Adds the differences from the reference to the points. `values` are those of the points, which are all of a study:
// by replication, then metric.
void add_differences(std::span<SummaryPoint> points, std::span<const std::vector<double>> values,
                     std::span<const Dimension> dimensions, Comparison comparison);

// Empty accumulators of the distributions that are plotted.
[[nodiscard]] std::vector<Distributions> distributions_to_plot(const ResultRequest& request,
                                                               std::span<const Column> columns,
                                                               std::span<const Dimension> dimensions,
                                                               std::uint64_t replications);

// Writes the requested table, summary and plots, in this order; `distributions` must have all rows. False, after reporting the
// error, at the first failure; the rest is not written.
[[nodiscard]] bool write_results(const ResultRequest& request, std::string_view title,
                                 std::span<const Dimension> dimensions, const SummaryTable& table,
                                 std::span<const SummaryPoint> points, std::span<const Distributions> distributions);

}  // namespace loopsim::cli
