// The summary of a sweep: for each point the mean of some metrics, with its confidence interval.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "loopsim/study.hpp"

namespace loopsim::cli {

struct SummaryTable {
  std::vector<std::string> dimensions;  // names
  std::vector<std::string> metrics;     // names
  std::vector<std::string> units;       // of the metrics
};
struct SummaryPoint {
  std::vector<std::string> values;  // by dimension
  std::uint64_t replications = 0;
  std::vector<Estimate> estimates;  // by metric
};

// A table for people: mean ± half the width of the interval, rounded.
[[nodiscard]] std::string summary_text(const SummaryTable& table, std::span<const SummaryPoint> points);

// The same for programs, as CSV: METRIC.mean, METRIC.half_width, METRIC.runs.
[[nodiscard]] std::string summary_csv(const SummaryTable& table, std::span<const SummaryPoint> points);

// Writes it: to standard error as a table for "-", to a file as CSV when its name ends with .csv, and as a table else. False when
// that failed: then it has been reported.
[[nodiscard]] bool write_summary(const std::string& path, const SummaryTable& table,
                                 std::span<const SummaryPoint> points);

}  // namespace loopsim::cli
