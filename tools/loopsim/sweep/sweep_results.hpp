// What `sweep` and `merge` both make of rows: the file of the rows, a summary and two plots. One table of the options for them, one
// reading, one writing.
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

inline constexpr std::size_t kResultOptionCount = 4;

// The commands differ in what they have to say about the format and about the plot of the histogram.
[[nodiscard]] constexpr std::array<Option, kResultOptionCount> result_options(std::string_view format_help,
                                                                              std::string_view histogram_help) {
  return {
      Option{"format", 'f', "csv|jsonl|sqlite", false, format_help},
      Option{"summary", 0, "FILE", false,
             "sum up each point: to FILE, as CSV when it ends with .csv; - is a table on standard error"},
      Option{"plot", 0, "FILE.svg", false,
             "plot the mean of the first --metric against the first --vary, with its confidence band (needs gnuplot)"},
      Option{"plot-histogram", 0, "FILE.svg", false, histogram_help},
  };
}

// Paths; - is a standard stream.
struct ResultRequest {
  std::string rows = "-";
  std::optional<RowFormat> format;  // nothing: not said
  std::optional<std::string> summary;
  std::optional<std::string> plot;
  std::optional<std::string> plot_histogram;

  [[nodiscard]] bool has_plots() const { return plot || plot_histogram; }
};

// Of these options and --output, in the words that the table allows.
[[nodiscard]] ResultRequest read_result_request(const Arguments& arguments);

// Why these dimensions cannot have the plots that are asked for, in one sentence; empty when they can.
[[nodiscard]] std::string wrong_for_plots(const ResultRequest& request, std::span<const Dimension> dimensions);

// Which two of the rows and the plots would go to the same place, in one sentence; empty when none do.
[[nodiscard]] std::string same_destination(const ResultRequest& request);

// Why the rows cannot go where they shall as `format`, in one sentence; empty when they can.
[[nodiscard]] std::string wrong_for_rows(const ResultRequest& request, RowFormat format);

// Writes the summary and the plots that are asked for. `histograms` has all rows when that plot is. False when something could not be
// written: then it has been reported, and what comes after it is not written.
[[nodiscard]] bool write_results(const ResultRequest& request, std::string_view title,
                                 std::span<const Dimension> dimensions, const SummaryTable& table,
                                 std::span<const SummaryPoint> points,
                                 const std::optional<DelayHistograms>& histograms);

}  // namespace loopsim::cli
