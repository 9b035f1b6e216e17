// loopsim merge: puts the shards of a sweep together.

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "tools/loopsim/arguments.hpp"
#include "tools/loopsim/gnuplot.hpp"
#include "tools/loopsim/message.hpp"
#include "tools/loopsim/options.hpp"
#include "tools/loopsim/output_file.hpp"
#include "tools/loopsim/sweep_plot.hpp"
#include "tools/loopsim/sweep_store.hpp"

namespace loopsim::cli {
namespace {

// One shard, read row by row.
class ShardFile {
 public:
  explicit ShardFile(std::string path) : path_(std::move(path)), file_(path_, std::ios::binary) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const StoredSweep& sweep() const { return sweep_; }

  // Reads the header; false when it is none: then that has been reported.
  [[nodiscard]] bool open() {
    if (!file_) {
      report_system_error("read", path_, errno);
      return false;
    }
    std::string line;
    std::getline(file_, line);
    std::optional<StoredSweep> sweep = parse_header(line);
    if (!sweep) {
      report_error(path_ + " is no shard of a sweep; loopsim sweep --shard K/N makes them");
      return false;
    }
    sweep_ = *std::move(sweep);
    return true;
  }

  // Goes to the first or next row; false when something is wrong with it: then that has been reported.
  [[nodiscard]] bool advance() {
    std::string line;
    if (!std::getline(file_, line) || file_.eof()) {  // a line without its newline is cut off
      report_error(path_ + " is not finished: run that shard again, with --resume");
      return false;
    }
    ++line_;
    if (const std::optional<std::uint64_t> rows = parse_end(line)) {
      at_end_ = true;
      if (*rows == rows_) return true;
      report_error(fmt::format("{} has {} rows instead of {}", path_, rows_, *rows));
      return false;
    }
    std::optional<std::vector<Cell>> cells = parse_row(line, sweep_.columns.size());
    if (!cells || (rows_ > 0 && run_of(*cells) <= run_of(cells_))) {
      report_error(fmt::format("line {} of {} is no row of a sweep, or not in order", line_ + 1, path_));
      return false;
    }
    ++rows_;
    cells_ = *std::move(cells);
    return true;
  }

  [[nodiscard]] bool at_end() const { return at_end_; }
  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
  [[nodiscard]] std::uint64_t run() const {
    return at_end_ ? std::numeric_limits<std::uint64_t>::max() : run_of(cells_);
  }

 private:
  std::string path_;
  std::ifstream file_;
  StoredSweep sweep_;
  std::vector<Cell> cells_;
  std::uint64_t line_ = 0;
  std::uint64_t rows_ = 0;
  bool at_end_ = false;
};

// Sums up rows in order.
class Summary {
 public:
  explicit Summary(const StoredSweep& sweep) : sweep_(sweep), values_(sweep.metrics.size()) {}

  void add(const std::vector<Cell>& cells) {
    const std::uint64_t point = run_of(cells) / sweep_.replications;
    if (count_ > 0 && point != point_) end_point();
    point_ = point;
    ++count_;
    for (std::size_t i = 0; i < sweep_.metrics.size(); ++i) {
      values_[i].push_back(number_of(cells[sweep_.metrics[i]]).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
  }

  [[nodiscard]] std::vector<SummaryPoint> finish() {
    if (count_ > 0) end_point();
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
    for (std::vector<double>& values : values_) {
      point.estimates.push_back(estimate_of(values));
      values.clear();
    }
    points_.push_back(std::move(point));
    count_ = 0;
  }

  const StoredSweep& sweep_;
  std::uint64_t point_ = 0;
  std::uint64_t count_ = 0;
  std::vector<std::vector<double>> values_;  // by metric
  std::vector<SummaryPoint> points_;
};

using Shards = std::vector<std::unique_ptr<ShardFile>>;

// All of them, sorted, when they make up one sweep: each exactly once. Empty when not: then that has been reported.
Shards open_shards(std::span<const std::string> paths) {
  Shards shards;
  for (const std::string& path : paths) {
    auto shard = std::make_unique<ShardFile>(path);
    if (!shard->open()) return {};
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

ExitStatus run_merge(const Arguments& arguments) {
  const std::string path = arguments.value_or("output", "-");
  Shards shards = open_shards(arguments.operands());
  if (shards.empty()) return ExitStatus::bad_input;
  const StoredSweep& sweep = shards.front()->sweep();
  const RowFormat format = arguments.has("format") ? *parse_row_format(arguments.value_or("format", "")) : sweep.format;
  if (format == RowFormat::sqlite && path == "-") {
    report_usage_error({"a database is a file: --format sqlite needs --output FILE", ""}, &arguments.command());
    return ExitStatus::bad_input;
  }
  if (arguments.has("plot")) {
    const std::string wrong = wrong_for_plot(sweep.dimensions);
    if (!wrong.empty()) report_usage_error({wrong, ""}, &arguments.command());
    if (!wrong.empty() || !has_gnuplot()) return ExitStatus::bad_input;
  }
  for (const auto& shard : shards) {
    std::error_code none;
    if (std::filesystem::equivalent(shard->path(), path, none)) {
      report_error("the output would overwrite a shard: " + path);
      return ExitStatus::bad_input;
    }
    if (!shard->advance()) return ExitStatus::bad_input;
  }

  OutputFile file(path);
  const std::unique_ptr<RowWriter> writer = make_row_writer(format, sweep.columns, file);
  if (writer == nullptr) return ExitStatus::bad_input;
  Summary summary(sweep);
  while (!file.failed()) {
    ShardFile& next = **std::ranges::min_element(shards, {}, [](const auto& shard) { return shard->run(); });
    if (next.at_end()) break;
    writer->row(next.cells());
    summary.add(next.cells());
    if (!next.advance()) return ExitStatus::bad_input;
  }
  const bool made = writer->finish();
  if (!file.finish() || !made) return ExitStatus::output_failed;
  const std::vector<SummaryPoint> points = summary.finish();
  if (arguments.has("summary") && !write_summary(arguments.value_or("summary", "-"), sweep.summary, points)) {
    return ExitStatus::output_failed;
  }
  if (!arguments.has("plot")) return ExitStatus::ok;
  return write_sweep_plot(arguments.value_or("plot", "-"), sweep.title, sweep.dimensions, sweep.summary, points)
             ? ExitStatus::ok
             : ExitStatus::output_failed;
}

// ---- command line ---------------------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {
    Operand{"SHARD...", "what loopsim sweep --shard K/N has written, all N of them, in any order"}};

constexpr std::array kOwnOptions = {
    Option{"format", 'f', "csv|jsonl|sqlite", false,
           "how to write the rows, instead of the format given to the shards"},
    Option{"summary", 0, "FILE", false,
           "sum up each point: to FILE, as CSV when it ends with .csv; - is a table on standard error"},
    Option{"plot", 0, "FILE.svg", false,
           "plot the mean of the first --metric against the first --vary, with its confidence band (needs gnuplot)"},
};

constexpr std::array<std::span<const Option>, 3> kOptions = {kOwnOptions, kOutputOptions, kCommonOptions};

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
};

}  // namespace loopsim::cli
