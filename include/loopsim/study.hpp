// Studies: one scenario run many times with varied values and different seeds, and the metrics of each run.
//
//   dimensions  -> points        every combination of values, the last dimension changing fastest
//   point       -> replications  runs of that point with seeds of their own
//   run         -> row           parameters, seed, trace hash, metrics: one cell per column
//
// Rows do not depend on the number of threads. Details: docs/studies.md.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
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

// ---- dimensions -----------------------------------------------------------------------------------------------------

// A param or any place in the document (named as in ReadOptions::overrides), and its successive values.
struct Dimension {
  std::string name;
  std::vector<std::string> values;  // JSON texts or bare words
};

// Reads NAME=RANGE[,RANGE]..., where a RANGE is
//   VALUE             50ms, 7, true, {"exponential":"5ms"}: JSON or a bare word
//   FROM:TO:STEP      numbers or durations, exact in decimals; TO is included if a step hits it
//   log:FROM:TO:COUNT COUNT values at equal ratios from FROM to TO, both included, rounded to four digits
struct DimensionResult {
  std::optional<Dimension> dimension;  // empty: malformed
  std::string message;                 // then: one sentence without a final stop
  std::string suggestion;              // and the nearest valid text, or empty
};
[[nodiscard]] DimensionResult parse_dimension(std::string_view text);

inline constexpr std::size_t kMostValues = 100'000;      // of a dimension
inline constexpr std::uint64_t kMostRuns = 100'000'000;  // of a study

// ---- metrics --------------------------------------------------------------------------------------------------------

// std::monostate: the run has no such value (lateness of a callback that never ran, for example).
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
  std::vector<std::string> callbacks;           // by label; each gets its own columns
  std::vector<std::string> clients = {};        // clients of arrival processes, by name; the same
  TimeNs warm_up = 0;                           // what began before this time is ignored
  std::vector<std::string> distributions = {};  // of distribution_names(); each gets a column with its histogram
  bool output = false;                          // a column with the lines on standard output
  bool order = false;                           // a column with the order in which the callbacks began: kMostOrderText
  bool page = false;                            // columns of a page in a browser: frames, long tasks, the user's input
  bool io = false;  // of the runtime `io`: other metrics; `callbacks` are then sockets by name
};

// Maximum length of an order of callbacks in a cell, in bytes; a longer one is truncated and ends with "...".
inline constexpr std::size_t kMostOrderText = 1000;

// The column that says what still grew when a run ended, and its text if nothing did; otherwise the names of flows, with
// a space between. The cell has no value if the run does not tell: too little was served, or nothing arrived in its
// course, as in a run that ends by itself.
inline constexpr std::string_view kGrowingColumn = "growing";
inline constexpr std::string_view kNothingGrows = "none";

// The metrics, in order. Definitions: docs/studies.md. Times are in milliseconds. Quantiles are exact for up to 1000
// values; for more, they come from a histogram with three significant figures (HdrHistogram's buckets), at most 0.1 %
// above the exact value and within the observed range.
[[nodiscard]] std::vector<Column> metric_columns(const MetricsOptions& options);

// What has a distribution in a run, with these callbacks and clients: "loop_delay", "lateness", "timer.latency". The
// column of `name` is histogram_column(name), a text: LOW-HIGH:COUNT for each bucket that is not empty, in ns, with
// blanks between; both ends belong to it. Buckets are HdrHistogram's, at most 0.1 % wide.
[[nodiscard]] std::vector<std::string> distribution_names(const MetricsOptions& options);
[[nodiscard]] std::string histogram_column(std::string_view name);

// Measures runs, one after another. No allocation per event after a first run of the same size.
class MetricsSink : public TraceSink {
 public:
  [[nodiscard]] virtual std::span<const Cell> cells() const = 0;  // as metric_columns(); valid after the end of a run
};
[[nodiscard]] std::unique_ptr<MetricsSink> make_metrics_sink(const MetricsOptions& options);

// Of the runtime `io`, the names of its sockets, and of groups of them.
//
// The explicit labels of a scenario's callbacks (by `as`, or a function's name), each once: first those scheduled by
// main, then those scheduled by functions and callbacks, in document order. Labels derived from the line
// ("setTimeout@12") are excluded.
[[nodiscard]] std::vector<std::string> named_callbacks(const Scenario& scenario);

// The names of the clients of a scenario's arrival processes, each once, in document order.
[[nodiscard]] std::vector<std::string> named_clients(const Scenario& scenario);

// ---- the study ------------------------------------------------------------------------------------------------------

// Adds replications to a point until the half-width of the confidence interval (95 %, Student t) of a metric's mean is
// at most `half_width`, or that share of the mean's absolute value. Checked after 10 replications, and then after each
// increase by a quarter (rounded up to 10), until the study's number of replications is reached.
struct StoppingRule {
  double half_width = 0;  // in the metric's unit, or a share (0.02 is 2 %)
  bool relative = false;
};
inline constexpr std::uint64_t kLeastReplications = 10;  // before a stopping rule is checked

struct StudySpec {
  std::string text;     // of the document
  std::string file;     // for messages
  ReadOptions options;  // for all points; without a seed, the document's is used
  std::vector<Dimension> dimensions;
  std::uint64_t replications = 1;        // per point; with a stopping rule: the maximum
  std::optional<StoppingRule> stopping;  // for the first of `metrics`
  std::vector<std::string> metrics;      // to summarize; empty: lateness_mean of the first callback, utilization
  bool all_callbacks = true;             // columns for all named callbacks; otherwise for metrics_options.callbacks
  MetricsOptions metrics_options;
};

class Study;  // a checked spec; immutable

struct PrepareResult {
  std::shared_ptr<const Study> study;  // null on failure
  Diagnostics diagnostics;             // of the first point that cannot be run
  std::string point;                   // its values: "load=2 delay=5ms"
  std::uint64_t bad_points = 0;        // number of points that cannot be run
  std::string message;                 // any other error, one sentence without a final stop
  std::string suggestion;
  Diagnostics warnings;  // of the document and of known differences from real Node, at any point, each once
};

// Reads and compiles the document at every point, on `jobs` threads (0: one per hardware thread).
[[nodiscard]] PrepareResult prepare_study(StudySpec spec, unsigned jobs = 0);

// Properties of a prepared study.
struct StudyShape {
  std::string title;          // of the scenario
  std::string scenario_hash;  // XXH64 of the document's text, 16 hexadecimal digits
  std::uint64_t seed = 0;     // of replication 0
  std::uint64_t points = 1;
  std::uint64_t replications = 1;
  std::vector<Column> columns;       // of its rows
  std::vector<std::size_t> metrics;  // to summarize: indices into `columns`
  std::vector<std::string> callbacks;
  bool is_random = false;  // false: no point draws random values, so the replications of a point are equal
};
[[nodiscard]] const StudyShape& shape_of(const Study& study);
[[nodiscard]] const StudySpec& spec_of(const Study& study);
// The values of a point, by dimension.
[[nodiscard]] std::vector<std::string> values_of(const Study& study, std::uint64_t point);

// A part of a study for one of several machines, numbered from 1 to `count`. Every run belongs to one shard: run number
// mod count, or with a stopping rule, which applies to whole points, point mod count.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t count = 1;
};

// The number of runs in a shard; with a stopping rule, the maximum.
[[nodiscard]] std::uint64_t runs_of(const Study& study, Shard shard);

// A run of a study is numbered point * replications + replication.
struct Row {
  std::uint64_t run = 0;
  std::vector<Cell> cells;  // by StudyShape::columns
};

// The cell's number for statistics; nullopt if it has none.
[[nodiscard]] std::optional<double> number_of(const Cell& cell);

// Mean and spread of a metric over the runs of a point that have it.
struct Estimate {
  std::uint64_t count = 0;
  double mean = 0;
  double half_width = 0;  // of the 95 % confidence interval; infinite for fewer than two values
};

// `values` are those of a point's runs, in order; NaN: no value.
[[nodiscard]] Estimate estimate_of(std::span<const double> values);

// The mean of value - reference over the runs that have both, which are paired by their place: with common random
// numbers, runs of two points with the same replication number. NaN: no value.
[[nodiscard]] Estimate difference_of(std::span<const double> values, std::span<const double> reference);

struct PointResult {
  std::uint64_t point = 0;
  std::uint64_t replications = 0;   // completed
  bool stopped = false;             // the stopping rule was met
  std::vector<Estimate> estimates;  // by StudyShape::metrics
  std::vector<double> values;       // by replication, then metric; NaN: no value, or a run of another shard
};

// ---- comparisons ----------------------------------------------------------------------------------------------------

// A value of a dimension that the other values are compared with.
struct Comparison {
  std::size_t dimension = 0;
  std::size_t value = 0;  // index
};

// Reads NAME=VALUE, for one of the dimensions and one of its values.
struct ComparisonResult {
  std::optional<Comparison> comparison;  // empty: there is no such name or value
  std::string message;                   // then: one sentence without a final stop
  std::string suggestion;                // and the nearest name or value, or empty
};
[[nodiscard]] ComparisonResult parse_comparison(std::string_view text, std::span<const Dimension> dimensions);

// The point with the values of `point`, but for the compared dimension, which has the reference's value: `point` itself
// if it is a reference.
[[nodiscard]] std::uint64_t reference_of(std::uint64_t point, std::span<const Dimension> dimensions,
                                         Comparison comparison);

// ---- steady state ---------------------------------------------------------------------------------------------------

// What the runs of a point say about steady state. Flows are named as in the columns: response, lateness ...
struct Steadiness {
  enum class Verdict : std::uint8_t {
    unknown,        // no run tells: they end by themselves, or are too short
    steady,         // as far as these runs tell
    halves_differ,  // the two halves of the runs: an initial transient, or a load close to 1
    grows,          // in most runs, to their end: overload
  };
  Verdict verdict = Verdict::unknown;
  // Flows that grow in more than half of the runs that tell, or grow in the mean: the second half more than twice as
  // long as the first.
  std::vector<std::string> growing;
  std::vector<std::string>
      differing;  // flows of whose halves one is longer than the other by more than a tenth, with a
                  // one-sided confidence of 99.9 % (paired t over at least five runs)
};

// Collects what rows say about it, in any order; sums are whole numbers, so the outcome does not depend on the order.
class SteadinessTable {
 public:
  SteadinessTable(std::span<const Column> columns, std::uint64_t replications);

  void add(std::span<const Cell> cells);                   // of a row
  [[nodiscard]] Steadiness of(std::uint64_t point) const;  // over the rows added so far

 private:
  __extension__ typedef __int128 Wide;  // ns^2, summed over runs  NOLINT(modernize-use-using)
  struct Flow {
    std::string name;
    std::size_t first_half = 0;  // its column; the next is that of the second half
  };
  struct Sums {
    std::uint64_t growing = 0;
    std::uint64_t runs = 0;  // that have halves
    Wide first = 0, second = 0, first_squared = 0, product = 0, second_squared = 0;
  };
  struct Point {
    std::uint64_t runs = 0;
    std::vector<Sums> flows;
  };
  enum class Half : std::uint8_t { first, second };
  [[nodiscard]] static bool is_longer(const Sums& sums, Half half, double times);

  std::uint64_t replications_;
  std::size_t growing_ = static_cast<std::size_t>(-1);
  std::vector<Flow> flows_;
  std::map<std::uint64_t, Point> points_;
};

// ---- running --------------------------------------------------------------------------------------------------------

struct StudyHooks {
  // Values of StudyShape::metrics for a run completed earlier (by an interrupted study), NaN for no value. Empty: the
  // run must be made. Optional.
  std::function<std::span<const double>(std::uint64_t run)> known;
  // Receives a completed run. Called from several threads, one call at a time, in any order. Return false to abort the
  // study.
  std::function<bool(Row&& row)> take;
  // All runs of the shard below this number are completed or known, or will never be made. Called like `take`.
  std::function<void(std::uint64_t run)> complete_below;
};

// Makes the missing runs. Returns the points of the shard in order, summarized over their runs in it; partial results
// if the study was aborted.
std::vector<PointResult> run_study(const Study& study, Shard shard, unsigned jobs, const StudyHooks& hooks);

}  // namespace loopsim
