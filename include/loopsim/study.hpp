// Studies: one scenario run many times, with values varied and with different seeds, and what each run measured.
//
//   dimensions  -> points        every combination of values, the last dimension changing fastest
//   point       -> replications  runs of that point with seeds of their own
//   run         -> row           parameters, seed, trace hash, metrics: one cell a column
//
// Everything here gives the same rows for any number of threads. docs/studies.md tells about it at length.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "loopsim/diagnostic.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/time.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

// ---- what is varied -------------------------------------------------------------------------------------------------------

// A param or any place in the document (as ReadOptions::overrides names it), and the values that it gets, one after another.
struct Dimension {
  std::string name;
  std::vector<std::string> values;  // JSON texts or bare words
};

// Reads NAME=RANGE[,RANGE]..., where a RANGE is
//   VALUE             50ms, 7, true, {"exponential":"5ms"}: JSON or a bare word
//   FROM:TO:STEP      numbers or durations, exact in decimals; TO is included when a step meets it
//   log:FROM:TO:COUNT COUNT values at equal ratios from FROM to TO, both included, rounded to four digits
struct DimensionResult {
  std::optional<Dimension> dimension;  // empty: not well formed
  std::string message;                 // then: in one sentence without a final stop
  std::string suggestion;              // and the nearest valid text, or empty
};
[[nodiscard]] DimensionResult parse_dimension(std::string_view text);

inline constexpr std::size_t kMostValues = 100'000;      // of a dimension
inline constexpr std::uint64_t kMostRuns = 100'000'000;  // of a study

// ---- what a run measures --------------------------------------------------------------------------------------------------

// Nothing: the run has no such value (the lateness of a callback that never ran, say).
using Cell = std::variant<std::monostate, std::int64_t, std::uint64_t, double, std::string>;

struct Column {
  enum class Type : std::uint8_t { integer, real, text, json };
  std::string name;
  Type type = Type::real;
  bool is_metric = false;
  std::string unit;  // "ms", "1/s", or empty
  std::string help;
};

struct MetricsOptions {
  std::vector<std::string> callbacks;     // by label: each gets columns of its own
  std::vector<std::string> clients = {};  // by name, those of arrival processes: the same
  TimeNs warm_up = 0;                     // what began before this time does not count
  bool histogram = false;                 // a column with the histogram of the loop delay
  bool output = false;                    // a column with the lines on standard output
  bool order = false;                     // a column with the order in which the callbacks began: kMostOrderText
};

// The longest order of callbacks in a cell, in bytes; what would go beyond is left out, and "..." stands at the end.
inline constexpr std::size_t kMostOrderText = 1000;

// The metrics, in order. Their definitions are in docs/studies.md. Times are in milliseconds. Quantiles are exact of
// up to 1000 values; of more, they come from a histogram with three significant figures (HdrHistogram's buckets), at most 0.1 %
// above the exact value and never outside of what occurred.
[[nodiscard]] std::vector<Column> metric_columns(const MetricsOptions& options);

// Measures a run; can be used for one run after another. Allocates nothing per event once it has seen a run of that size.
class MetricsSink : public TraceSink {
 public:
  [[nodiscard]] virtual std::span<const Cell> cells() const = 0;  // by metric_columns(), after the end of a run
};
[[nodiscard]] std::unique_ptr<MetricsSink> make_metrics_sink(const MetricsOptions& options);

// The labels of a scenario's callbacks that the document has given (by `as`, or a function's name), each once: first those that
// main asks for, then those that functions and callbacks ask for, each in the document's order.
// Those that are only named after their line ("setTimeout@12") are not among them.
[[nodiscard]] std::vector<std::string> named_callbacks(const Scenario& scenario);

// The names of the clients of a scenario's arrival processes, each once, in the document's order.
[[nodiscard]] std::vector<std::string> named_clients(const Scenario& scenario);

// ---- the study ------------------------------------------------------------------------------------------------------------

// Replications of a point are added until the confidence interval (95 %, Student t) of a metric's mean is narrow enough: half
// its width is at most `half_width`, or that share of the mean's absolute value. Looked at after 10 replications, and then
// each time a quarter more have been made (rounded up to 10), until the study's number of replications is reached.
struct StoppingRule {
  double half_width = 0;  // in the metric's unit, or a share (0.02 is 2 %)
  bool relative = false;
};
inline constexpr std::uint64_t kLeastReplications = 10;  // before a stopping rule is asked

struct StudySpec {
  std::string text;     // of the document
  std::string file;     // for messages
  ReadOptions options;  // what holds for all points; without a seed, the document's
  std::vector<Dimension> dimensions;
  std::uint64_t replications = 1;        // of each point; with a stopping rule: at most
  std::optional<StoppingRule> stopping;  // for the first of `metrics`
  std::vector<std::string> metrics;  // what is to be summed up; empty: lateness_mean of the first callback, utilization
  bool all_callbacks = true;         // columns for all named callbacks; otherwise for metrics_options.callbacks
  MetricsOptions metrics_options;
};

class Study;  // immutable: a spec that has been checked

struct PrepareResult {
  std::shared_ptr<const Study> study;  // null: something is wrong
  Diagnostics diagnostics;             // of the first point that cannot be run
  std::string point;                   // its values: "load=2 delay=5ms"
  std::uint64_t bad_points = 0;        // how many cannot be run
  std::string message;                 // anything else that is wrong, in one sentence without a final stop
  std::string suggestion;
  Diagnostics warnings;  // what is known to differ from real Node in some point, each once
};

// Reads and compiles the document at every point, on `jobs` threads (0: as many as the machine runs at once).
[[nodiscard]] PrepareResult prepare_study(StudySpec spec, unsigned jobs = 0);

// What a prepared study is.
struct StudyShape {
  std::string title;          // of the scenario
  std::string scenario_hash;  // XXH64 of the document's text, 16 hexadecimal digits
  std::uint64_t seed = 0;     // of replication 0
  std::uint64_t points = 1;
  std::uint64_t replications = 1;
  std::vector<Column> columns;       // of its rows
  std::vector<std::size_t> metrics;  // those to be summed up: indices into `columns`
  std::vector<std::string> callbacks;
  bool is_random = false;  // false: nothing draws at any point, so the replications of a point are all the same run
};
[[nodiscard]] const StudyShape& shape_of(const Study& study);
[[nodiscard]] const StudySpec& spec_of(const Study& study);
// The values of a point, by dimension.
[[nodiscard]] std::vector<std::string> values_of(const Study& study, std::uint64_t point);

// A part of a study for one of several machines, from 1 to `count`. Every run belongs to one of them: run number mod count, or
// with a stopping rule point mod count, since that decides about a whole point.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t count = 1;
};

// The number of runs (with a stopping rule: the highest possible) in a shard.
[[nodiscard]] std::uint64_t runs_of(const Study& study, Shard shard);

// A run of a study is numbered point * replications + replication.
struct Row {
  std::uint64_t run = 0;
  std::vector<Cell> cells;  // by StudyShape::columns
};

// A number for the statistics; nothing for a cell without one.
[[nodiscard]] std::optional<double> number_of(const Cell& cell);

// Mean and spread of a metric over the runs of a point that have it.
struct Estimate {
  std::uint64_t count = 0;
  double mean = 0;
  double half_width = 0;  // of the 95 % confidence interval; infinite for fewer than two values
};

// Of the values of a point's runs in order; NaN is none.
[[nodiscard]] Estimate estimate_of(std::span<const double> values);

struct PointResult {
  std::uint64_t point = 0;
  std::uint64_t replications = 0;   // made
  bool stopped = false;             // the stopping rule was met
  std::vector<Estimate> estimates;  // by StudyShape::metrics
};

struct StudyHooks {
  // A run that was made before (by a study that was interrupted): its values of StudyShape::metrics, NaN for none. Empty: it
  // has to be made. May be left out.
  std::function<std::span<const double>(std::uint64_t run)> known;
  // A run that has been made. Called from several threads, one at a time, in any order. False: the study is to be given up.
  std::function<bool(Row&& row)> take;
  // All runs below this number that belong to the shard are made or known, or never will be. Called like `take`.
  std::function<void(std::uint64_t run)> complete_below;
};

// Makes what is missing. Returns the points of the shard in order, summed up over all of their runs that belong to it; of a
// study that was given up, what there is.
std::vector<PointResult> run_study(const Study& study, Shard shard, unsigned jobs, const StudyHooks& hooks);

}  // namespace loopsim
