// Summary of a sweep: per point the means of some metrics, with their confidence intervals; whether the point was in
// steady state; and its differences from a point that it is compared with.
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
  std::string reference = {};           // "policy=fair": what the differences are from; empty: no differences
};
struct SummaryPoint {
  std::vector<std::string> values;  // per dimension
  std::uint64_t replications = 0;
  std::vector<Estimate> estimates;  // per metric
  Steadiness steadiness = {};
  std::vector<Estimate> differences = {};  // per metric; empty: none are asked for, or the point is the reference
};

// Text table: mean ± half the width of the interval, rounded; a table of differences, if there are any; and what the
// figures are. Points that are not in steady state are marked in a last column, which is left out if there are none.
[[nodiscard]] std::string summary_text(const SummaryTable& table, std::span<const SummaryPoint> points);

// CSV: the dimensions, replications, and METRIC.mean, METRIC.half_width, METRIC.runs per metric; steady_state (yes, no,
// or nothing if the runs do not tell), growing and halves_differ (names of flows); with a reference also
// METRIC.difference, METRIC.difference_half_width and METRIC.difference_runs per metric.
[[nodiscard]] std::string summary_csv(const SummaryTable& table, std::span<const SummaryPoint> points);

// A message, in one sentence, if points are not in steady state; empty: none.
[[nodiscard]] std::string unsteady_text(std::span<const SummaryPoint> points);

// Writes the summary: to standard error as a table if `path` is "-", otherwise to a file, as CSV if its name ends with
// .csv, else as a table. False on failure; the error is reported, except for standard error.
[[nodiscard]] bool write_summary(const std::string& path, const SummaryTable& table,
                                 std::span<const SummaryPoint> points);

}  // namespace loopsim::cli
