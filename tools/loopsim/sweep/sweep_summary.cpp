#include "tools/loopsim/sweep/sweep_summary.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loopsim/writers.hpp"

#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/sweep/sweep_rows.hpp"

namespace loopsim::cli {
namespace {

using Row = std::vector<std::string>;
using Verdict = Steadiness::Verdict;

// Mean ± half width, both to the second significant digit of the half width: 5.02 ± 0.11.
std::string estimate_text(const Estimate& estimate, std::string_view sign = "") {
  if (estimate.count == 0) return "-";
  const std::string_view plus = estimate.mean < 0 ? "" : sign;
  if (!std::isfinite(estimate.half_width)) return fmt::format("{}{:.6g} ± ?", plus, estimate.mean);
  if (estimate.half_width == 0) return fmt::format("{}{:.6g} ± 0", plus, estimate.mean);
  int decimals = 0;
  for (double half = estimate.half_width; half < 9.5 && decimals < 9; half *= 10) ++decimals;
  return fmt::format("{}{:.{}f} ± {:.{}f}", plus, estimate.mean, decimals, estimate.half_width, decimals);
}

std::string steadiness_text(const Steadiness& steadiness) {
  switch (steadiness.verdict) {
    case Verdict::unknown: return "-";
    case Verdict::steady: return "yes";
    case Verdict::halves_differ: return fmt::format("no: halves differ ({})", fmt::join(steadiness.differing, ", "));
    case Verdict::grows: break;
  }
  return fmt::format("no: {} {}", fmt::join(steadiness.growing, ", "),
                     steadiness.growing.size() == 1 ? "grows" : "grow");
}

bool has_verdict(std::span<const SummaryPoint> points, Verdict verdict) {
  return std::ranges::any_of(points,
                             [verdict](const SummaryPoint& point) { return point.steadiness.verdict == verdict; });
}

void add_number(std::vector<Cell>& cells, bool is_known, double value) {
  cells.emplace_back();
  if (is_known) cells.back() = value;
}

void add_estimate(std::vector<Cell>& cells, const Estimate& estimate) {
  add_number(cells, estimate.count >= 1, estimate.mean);
  add_number(cells, estimate.count >= 2, estimate.half_width);
  cells.emplace_back(estimate.count);
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

// Columns are aligned to the right, or the last one to the left.
std::string table_text(const std::vector<Row>& rows, bool last_to_the_left) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += i == 0 ? "" : "  ";
      if (i + 1 < row.size() || !last_to_the_left) text.append(widths[i] - width_of(row[i]), ' ');
      text += row[i];
    }
    text += '\n';
  }
  return text;
}

Row head_of(const SummaryTable& table) {
  Row head(table.dimensions.begin(), table.dimensions.end());
  head.emplace_back("runs");
  for (std::size_t i = 0; i < table.metrics.size(); ++i) {
    head.push_back(table.units[i].empty() ? table.metrics[i]
                                          : fmt::format("{} ({})", table.metrics[i], table.units[i]));
  }
  return head;
}

std::string figures_table(const SummaryTable& table, std::span<const SummaryPoint> points, bool has_unsteady) {
  std::vector<Row> rows = {head_of(table)};
  if (has_unsteady) rows.back().emplace_back("steady state");
  for (const SummaryPoint& point : points) {
    Row row(point.values.begin(), point.values.end());
    row.push_back(std::to_string(point.replications));
    for (const Estimate& estimate : point.estimates) {
      const bool is_one_run = point.replications == 1 && estimate.count == 1;  // nobody expects an interval
      row.push_back(is_one_run ? fmt::format("{:.6g}", estimate.mean) : estimate_text(estimate));
    }
    if (has_unsteady) row.push_back(steadiness_text(point.steadiness));
    rows.push_back(std::move(row));
  }
  return table_text(rows, has_unsteady);
}

// The number of runs is that of the pairs.
std::string differences_table(const SummaryTable& table, std::span<const SummaryPoint> points) {
  std::vector<Row> rows = {head_of(table)};
  rows.back()[table.dimensions.size()] = "pairs";
  for (const SummaryPoint& point : points) {
    if (point.differences.empty()) continue;
    Row row(point.values.begin(), point.values.end());
    std::uint64_t pairs = 0;
    for (const Estimate& difference : point.differences) pairs = std::max(pairs, difference.count);
    row.push_back(std::to_string(pairs));
    for (const Estimate& difference : point.differences) row.push_back(estimate_text(difference, "+"));
    rows.push_back(std::move(row));
  }
  return table_text(rows, false);
}

bool is_quantile(std::string_view metric) {
  const std::size_t end = metric.rfind("_p");
  return end != std::string_view::npos && end + 2 < metric.size() && metric[end + 2] >= '0' && metric[end + 2] <= '9';
}

// What the figures are, and what they are not.
std::string legend(const SummaryTable& table, std::span<const SummaryPoint> points) {
  const bool has_intervals =
      std::ranges::any_of(points, [](const SummaryPoint& point) { return point.replications > 1; });
  const auto quantile = std::ranges::find_if(table.metrics, is_quantile);
  std::string text;
  if (has_intervals) {
    text = "mean over the runs ± half the width of its 95 % confidence interval";
    if (quantile != table.metrics.end()) {
      std::string name = quantile->substr(quantile->rfind("_p") + 1);
      std::ranges::replace(name, '_', '.');
      text += fmt::format("; {} is the mean of each run's {}", *quantile, name);
    }
    text += '\n';
  }
  if (has_verdict(points, Verdict::grows)) {
    text +=
        "grows: to the end of the run, as a queue does that gets more work than can be done (overload).\n"
        "       There is no steady state: the figures depend on the length of the run\n";
  }
  if (has_verdict(points, Verdict::halves_differ)) {
    text +=
        "halves differ: the first half of a run and the second differ by more than a tenth. The figures depend on\n"
        "       the length of the run: make it longer, and leave out how it begins (--warm-up TIME)\n";
  }
  return text;
}

}  // namespace

std::string summary_text(const SummaryTable& table, std::span<const SummaryPoint> points) {
  const bool has_unsteady = has_verdict(points, Verdict::grows) || has_verdict(points, Verdict::halves_differ);
  std::string text = figures_table(table, points, has_unsteady);
  const std::string notes = legend(table, points);
  if (!notes.empty()) text += "\n" + notes;
  if (table.reference.empty()) return text;
  text += fmt::format("\ndifference from {}\n", table.reference) + differences_table(table, points);
  return text +
         "\nmean difference of two runs with the same seed ± half the width of its 95 % confidence interval (paired)\n";
}

std::string unsteady_text(std::span<const SummaryPoint> points) {
  std::uint64_t grow = 0;
  std::uint64_t differ = 0;
  std::vector<std::string> names;
  const auto add = [&names](const std::vector<std::string>& more) {
    for (const std::string& name : more) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  };
  for (const SummaryPoint& point : points) {
    if (point.steadiness.verdict == Verdict::grows) ++grow, add(point.steadiness.growing);
    if (point.steadiness.verdict == Verdict::halves_differ) ++differ;
  }
  const auto of = [&points](std::uint64_t count) {
    if (points.size() == 1) return std::string();
    return fmt::format("at {} of {} points ", count, points.size());
  };
  std::string text;
  if (grow > 0) {
    text = fmt::format(
        "{}not in steady state: {} still {} at the end of the run (overload; column growing). The "
        "figures depend on the length of the run",
        of(grow), fmt::join(names, ", "), names.size() == 1 ? "grows" : "grow");
  }
  if (differ > 0) {
    text += fmt::format(
        "{}{}not in steady state: the halves of the runs differ (columns *_half). A longer run, or "
        "--warm-up, makes the figures independent of the length of the run",
        text.empty() ? "" : "; ", of(differ));
  }
  return text;
}

std::string summary_csv(const SummaryTable& table, std::span<const SummaryPoint> points) {
  std::vector<Column> columns;
  for (const std::string& name : table.dimensions) columns.push_back({name, Column::Type::text, false, "", ""});
  columns.push_back({"replications", Column::Type::integer, false, "", ""});
  for (const std::string& name : table.metrics) {
    for (const char* what : {".mean", ".half_width", ".runs"}) {
      columns.push_back({name + what, Column::Type::real, true, "", ""});
    }
  }
  for (const char* name : {"steady_state", "growing", "halves_differ"}) {
    columns.push_back({name, Column::Type::text, false, "", ""});
  }
  if (!table.reference.empty()) {
    for (const std::string& name : table.metrics) {
      for (const char* what : {".difference", ".difference_half_width", ".difference_runs"}) {
        columns.push_back({name + what, Column::Type::real, true, "", ""});
      }
    }
  }
  StringOutput output;
  const std::unique_ptr<RowWriter> writer = make_csv_writer(columns, output);
  for (const SummaryPoint& point : points) {
    std::vector<Cell> cells(point.values.begin(), point.values.end());
    cells.emplace_back(point.replications);
    for (const Estimate& estimate : point.estimates) add_estimate(cells, estimate);
    const Steadiness& steadiness = point.steadiness;
    cells.emplace_back(steadiness.verdict == Verdict::unknown  ? Cell()
                       : steadiness.verdict == Verdict::steady ? Cell("yes")
                                                               : Cell("no"));
    cells.emplace_back(fmt::format("{}", fmt::join(steadiness.growing, " ")));
    cells.emplace_back(fmt::format("{}", fmt::join(steadiness.differing, " ")));
    for (const Estimate& difference : point.differences) add_estimate(cells, difference);
    cells.resize(columns.size());  // the reference has no differences
    writer->row(cells);
  }
  return output.text();
}

bool write_summary(const std::string& path, const SummaryTable& table, std::span<const SummaryPoint> points) {
  if (path == "-") return write_standard_error(summary_text(table, points));
  return write_output(path, path.ends_with(".csv") ? summary_csv(table, points) : summary_text(table, points));
}

}  // namespace loopsim::cli
