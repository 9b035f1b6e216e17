// loopsim merge: merges the shards of a sweep.

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"
#include "tools/loopsim/line/paths.hpp"
#include "tools/loopsim/sweep/row_text.hpp"
#include "tools/loopsim/sweep/shard_file.hpp"
#include "tools/loopsim/sweep/sweep_results.hpp"
#include "tools/loopsim/sweep/sweep_store.hpp"

namespace loopsim::cli {
namespace {

// Estimates per point, from rows ordered by run.
class Summary {
 public:
  Summary(const StoredSweep& sweep, std::optional<Comparison> comparison)
      : sweep_(sweep),
        comparison_(comparison),
        steadiness_(sweep.columns, sweep.replications),
        values_(sweep.metrics.size()) {}

  void add(const std::vector<Cell>& cells) {
    const std::uint64_t point = run_of(cells) / sweep_.replications;
    if (count_ > 0 && point != point_) end_point();
    point_ = point;
    ++count_;
    steadiness_.add(cells);
    if (comparison_) all_values_.resize(points_.size() + 1);
    for (std::size_t i = 0; i < sweep_.metrics.size(); ++i) {
      const double value = number_of(cells[sweep_.metrics[i]]).value_or(std::numeric_limits<double>::quiet_NaN());
      values_[i].push_back(value);
      if (comparison_) all_values_.back().push_back(value);
    }
  }

  [[nodiscard]] std::vector<SummaryPoint> finish() {
    if (count_ > 0) end_point();
    if (comparison_) add_differences(points_, all_values_, sweep_.dimensions, *comparison_);
    return std::move(points_);
  }

 private:
  void end_point() {
    SummaryPoint point;
    point.values.resize(sweep_.dimensions.size());
    std::uint64_t left = point_;
    for (std::size_t i = point.values.size(); i-- > 0;) {
      const std::vector<std::string>& all = sweep_.dimensions[i].values;
      point.values[i] = all[left % all.size()];
      left /= all.size();
    }
    point.replications = count_;
    point.steadiness = steadiness_.of(point_);
    for (std::vector<double>& values : values_) {
      point.estimates.push_back(estimate_of(values));
      values.clear();
    }
    points_.push_back(std::move(point));
    count_ = 0;
  }

  const StoredSweep& sweep_;
  std::optional<Comparison> comparison_;
  SteadinessTable steadiness_;
  std::uint64_t point_ = 0;
  std::uint64_t count_ = 0;
  std::vector<std::vector<double>> values_;      // per metric
  std::vector<std::vector<double>> all_values_;  // per point, for a comparison: by replication, then metric
  std::vector<SummaryPoint> points_;
};

using Shards = std::vector<std::unique_ptr<ShardFile>>;

// Goes to the shard's next row, or to its end. False if the shard is damaged or cut off (error reported).
bool advance(ShardFile& shard) {
  if (shard.advance()) return true;
  report_error(shard.problem() + (shard.is_cut() ? ": run that shard again, with --resume" : ""));
  return false;
}

// All shards of one sweep, sorted by number. Empty, after reporting the error, unless each is given exactly once.
Shards open_shards(std::span<const std::string> paths) {
  Shards shards;
  for (const std::string& path : paths) {
    auto shard = std::make_unique<ShardFile>(path);
    const ShardFile::Opened opened = shard->open();
    if (opened == ShardFile::Opened::no_shard) {
      report_error(path + " is no shard of a sweep; loopsim sweep --shard K/N makes them");
    }
    if (opened != ShardFile::Opened::good) return {};
    const std::string different =
        shards.empty() ? "" : difference_of_studies(shard->sweep().header, shards.front()->sweep().header);
    if (!different.empty()) {
      report_error(
          fmt::format("{} and {} are shards of different sweeps: {}", shards.front()->path(), path, different));
      return {};
    }
    const auto is_same = [&shard](const auto& other) {
      return other->sweep().shard.number == shard->sweep().shard.number;
    };
    if (!shards.empty() && shards.front()->sweep().shard.count != shard->sweep().shard.count) {
      report_error(fmt::format("{} is one of {} shards, {} is one of {}", shards.front()->path(),
                               shards.front()->sweep().shard.count, path, shard->sweep().shard.count));
      return {};
    }
    const auto twice = std::ranges::find_if(shards, is_same);
    if (twice != shards.end()) {
      report_error(fmt::format("shard {}/{} is given twice: {} and {}", shard->sweep().shard.number,
                               shard->sweep().shard.count, (*twice)->path(), path));
      return {};
    }
    shards.push_back(std::move(shard));
  }
  std::ranges::sort(shards, {}, [](const auto& shard) { return shard->sweep().shard.number; });

  constexpr std::size_t kNamed = 10;
  const std::uint64_t count = shards.front()->sweep().shard.count;
  std::string missing;
  std::size_t named = 0;
  for (std::uint64_t number = 1; number <= count && named <= kNamed; ++number) {
    if (std::ranges::any_of(shards, [number](const auto& shard) { return shard->sweep().shard.number == number; }))
      continue;
    missing += named == kNamed ? ", ..." : fmt::format("{}{}/{}", missing.empty() ? "" : ", ", number, count);
    ++named;
  }
  if (missing.empty()) return shards;
  report_error(
      fmt::format("there {} missing: shard {}", count - shards.size() == 1 ? "is one shard" : "are shards", missing));
  return {};
}

// False if a requested plot cannot be made (error reported).
bool can_plot(const Arguments& arguments, const ResultRequest& request, const StoredSweep& sweep) {
  std::string wrong = wrong_for_plots(arguments, request, sweep.dimensions);
  if (wrong.empty()) wrong = same_destination(request);
  if (!wrong.empty()) {
    report_usage_error({wrong, ""}, &arguments.command());
    return false;
  }
  for (const std::string& name : request.plotted_distributions()) {
    if (histogram_index(sweep.columns, name)) continue;
    report_error(
        fmt::format("the shards have no distribution of {0}: loopsim sweep --distribution {0} keeps it", name));
    return false;
  }
  return has_plotters(request);
}

// What the points are compared with. False if that is not one of the sweep (error reported).
bool read_comparison(const ResultRequest& request, const StoredSweep& sweep, const Command& command,
                     std::optional<Comparison>& comparison) {
  if (!request.compare) return true;
  const ComparisonResult read = parse_comparison(*request.compare, sweep.dimensions);
  comparison = read.comparison;
  if (!read.comparison) {
    report_usage_error({"option --compare: " + read.message, read.suggestion}, &command);
  } else if (!request.has_summary()) {
    report_usage_error({"differences are part of the summary: --compare needs --summary FILE or a table", ""},
                       &command);
  }
  return read.comparison && request.has_summary();
}

ExitStatus run_merge(const Arguments& arguments) {
  const ResultRequest request = read_result_request(arguments);
  const std::string& path = request.rows;
  Shards shards = open_shards(arguments.operands());
  if (shards.empty()) return ExitStatus::bad_input;
  const StoredSweep& sweep = shards.front()->sweep();
  const RowFormat format = request.format.value_or(sweep.format);
  if (const std::string wrong = wrong_for_rows(request, format); !wrong.empty()) {
    report_usage_error({wrong, ""}, &arguments.command());
    return ExitStatus::bad_input;
  }
  if (!can_plot(arguments, request, sweep)) return ExitStatus::bad_input;
  std::optional<Comparison> comparison;
  if (!read_comparison(request, sweep, arguments.command(), comparison)) return ExitStatus::bad_input;
  for (const auto& shard : shards) {
    if (is_same_file(shard->path(), path)) {
      report_error("the output would overwrite a shard: " + path);
      return ExitStatus::bad_input;
    }
    if (!advance(*shard)) return ExitStatus::bad_input;
  }

  std::optional<OutputFile> file;
  std::unique_ptr<RowWriter> writer;
  if (!request.table) {
    file.emplace(path);
    writer = make_row_writer(format, sweep.columns, *file);
    if (writer == nullptr) return ExitStatus::bad_input;
  }
  Summary summary(sweep, comparison);
  std::vector<Distributions> distributions =
      distributions_to_plot(request, sweep.columns, sweep.dimensions, sweep.replications);
  while (!file || !file->failed()) {
    ShardFile& next = **std::ranges::min_element(shards, {}, [](const auto& shard) { return shard->run(); });
    if (next.at_end()) break;
    if (writer) writer->row(next.cells());
    summary.add(next.cells());
    const bool has_all = std::ranges::all_of(distributions, [&](Distributions& one) { return one.add(next.cells()); });
    if (!has_all) return ExitStatus::bad_input;
    if (!advance(next)) return ExitStatus::bad_input;
  }
  const bool made = !writer || writer->finish();
  if ((file && !file->finish()) || !made) return ExitStatus::output_failed;
  const std::vector<SummaryPoint> points = summary.finish();
  const std::string unsteady = unsteady_text(points);
  if (!request.has_summary() && !unsteady.empty()) report_error(unsteady);
  SummaryTable table = sweep.summary;
  table.reference = request.compare.value_or("");
  const bool written = write_results(request, sweep.title, sweep.dimensions, table, points, distributions);
  return written ? ExitStatus::ok : ExitStatus::output_failed;
}

// ---- command line --------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {
    Operand{"SHARD...", "what loopsim sweep --shard K/N has written, all N of them, in any order"}};

constexpr std::array kRowOptions = result_options(
    "a table of the points (the default on a terminal), or how to write the rows, instead of the format "
    "given to the shards",
    "the distribution that --plot-histogram shows, from shards with that --distribution",
    "plot the histogram of the --distribution, or of the loop delay, over all runs of each point (files "
    "as for --plot)");

constexpr std::array<std::span<const Option>, 3> kOptions = {kRowOptions, kOutputOptions, kCommonOptions};

}  // namespace

const Command kMergeCommand = {
    .name = "merge",
    .usage = "SHARD... [OPTION]...",
    .summary = "Put the shards of a sweep together.",
    .details = "The output is, byte for byte, that of the same sweep without shards.\n",
    .operands = kOperands,
    .least_operands = 1,
    .most_operands = Command::kAnyNumber,
    .options = kOptions,
    .run = run_merge,
    .is_confined = true,
};

}  // namespace loopsim::cli
