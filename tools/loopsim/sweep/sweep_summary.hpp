// Summary of a sweep: per point the means of some metrics, with their confidence intervals.
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
  std::vector<std::string> values;  // per dimension
  std::uint64_t replications = 0;
  std::vector<Estimate> estimates;  // per metric
};

// Text table: mean ± half the width of the interval, rounded.
[[nodiscard]] std::string summary_text(const SummaryTable& table, std::span<const SummaryPoint> points);

// CSV: the dimensions, replications, and METRIC.mean, METRIC.half_width, METRIC.runs per metric.
[[nodiscard]] std::string summary_csv(const SummaryTable& table, std::span<const SummaryPoint> points);

// Writes the summary: to standard error as a table if `path` is "-", otherwise to a file, as CSV if its name ends with
// .csv, else as a table. False on failure; the error is reported, except for standard error.
[[nodiscard]] bool write_summary(const std::string& path, const SummaryTable& table,
                                 std::span<const SummaryPoint> points);

}  // namespace loopsim::cli
