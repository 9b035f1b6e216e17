// Results common to `sweep` and `merge`: the file of rows, a summary and two plots; with their options, and how they
// are read and written.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/sweep/histogram_plot.hpp"
#include "tools/loopsim/sweep/sweep_rows.hpp"
#include "tools/loopsim/sweep/sweep_summary.hpp"

namespace loopsim::cli {

inline constexpr std::size_t kResultOptionCount = 5;

// The help texts of --format and --plot-histogram differ between the commands.
[[nodiscard]] constexpr std::array<Option, kResultOptionCount> result_options(std::string_view format_help,
                                                                              std::string_view histogram_help) {
  return {
      Option{"format", 'f', "table|csv|jsonl|sqlite", false, format_help},
      Option{"summary", 0, "FILE", false,
             "sum up each point: to FILE, as CSV when it ends with .csv; - is a table on standard error"},
      Option{"compare", 0, "NAME=VALUE", false,
             "sum up the differences from the points with this value, too, of runs with the same seed"},
      Option{"plot", 0, "FILE.svg", false,
             "plot the mean of the first --metric against the first --vary, with its confidence band (needs gnuplot)"},
      Option{"plot-histogram", 0, "FILE.svg", false, histogram_help},
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
  std::optional<std::string> plot;
  std::optional<std::string> plot_histogram;

  [[nodiscard]] bool has_plots() const { return plot || plot_histogram; }
  [[nodiscard]] bool has_summary() const { return table || summary; }
};

// Reads these options and --output. `arguments` must have been checked against the table.
[[nodiscard]] ResultRequest read_result_request(const Arguments& arguments);

// Error message, in one sentence, if the requested plots cannot show these dimensions; empty: no error.
[[nodiscard]] std::string wrong_for_plots(const ResultRequest& request, std::span<const Dimension> dimensions);

// Error message, in one sentence, if two of rows and plots have the same destination; empty: no error.
[[nodiscard]] std::string same_destination(const ResultRequest& request);

// Error message, in one sentence, if `format`, or a table, cannot be written to the destination of the rows; empty: no
// error.
[[nodiscard]] std::string wrong_for_rows(const ResultRequest& request, RowFormat format);

// Adds the differences from the reference to the points. `values` are those of the points, which are all of a study:
// by replication, then metric.
void add_differences(std::span<SummaryPoint> points, std::span<const std::vector<double>> values,
                     std::span<const Dimension> dimensions, Comparison comparison);

// Writes the requested table, summary and plots, in this order. With --plot-histogram, `histograms` must have all rows. False,
// after reporting the error, at the first failure; the rest is not written.
[[nodiscard]] bool write_results(const ResultRequest& request, std::string_view title,
                                 std::span<const Dimension> dimensions, const SummaryTable& table,
                                 std::span<const SummaryPoint> points,
                                 const std::optional<DelayHistograms>& histograms);

}  // namespace loopsim::cli
