// Saved rows of one or several files, grouped by what varies in them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loopsim/study.hpp"

namespace loopsim::cli {

// The rows with the same values.
struct RowGroup {
  std::vector<std::string> values;           // by SavedRows::dimensions
  std::vector<std::vector<double>> metrics;  // by metric, then by row; NaN: no value
  std::vector<std::string> histograms;       // by row, if they are read
};

struct SavedRows {
  std::string title;                  // the scenario's
  std::vector<Dimension> dimensions;  // what has more than one value; the last is "file" for several files
  std::vector<std::string> metrics;
  std::vector<RowGroup> groups;  // in the order of their first rows
};

// `metrics` empty: the lateness_mean of the first callback. `distribution` empty: no histograms are read.
[[nodiscard]] std::optional<SavedRows> read_saved_rows(std::span<const std::string> paths,
                                                       std::vector<std::string> metrics,
                                                       const std::string& distribution);

// The unit of a metric, by its name: "ms" of "timer.latency_p99"; empty if it has none or is unknown.
[[nodiscard]] std::string unit_of_metric(const std::string& name);

}  // namespace loopsim::cli
