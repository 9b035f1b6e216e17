#include "tools/loopsim/sweep/sweep_summary.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "loopsim/writers.hpp"

#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/sweep/sweep_rows.hpp"

namespace loopsim::cli {
namespace {

// Mean ± half width, both to the second significant digit of the half width: 5.02 ± 0.11.
std::string estimate_text(const Estimate& estimate) {
  if (estimate.count == 0) return "-";
  if (!std::isfinite(estimate.half_width)) return fmt::format("{:.6g} ± ?", estimate.mean);
  if (estimate.half_width == 0) return fmt::format("{:.6g} ± 0", estimate.mean);
  int decimals = 0;
  for (double half = estimate.half_width; half < 9.5 && decimals < 9; half *= 10) ++decimals;
  return fmt::format("{:.{}f} ± {:.{}f}", estimate.mean, decimals, estimate.half_width, decimals);
}

void add_number(std::vector<Cell>& cells, bool is_known, double value) {
  cells.emplace_back();
  if (is_known) cells.back() = value;
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

std::string summary_text(const SummaryTable& table, std::span<const SummaryPoint> points) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> head(table.dimensions.begin(), table.dimensions.end());
  head.emplace_back("runs");
  for (std::size_t i = 0; i < table.metrics.size(); ++i) {
    head.push_back(table.units[i].empty() ? table.metrics[i]
                                          : fmt::format("{} ({})", table.metrics[i], table.units[i]));
  }
  rows.push_back(std::move(head));
  for (const SummaryPoint& point : points) {
    std::vector<std::string> row(point.values.begin(), point.values.end());
    row.push_back(std::to_string(point.replications));
    for (const Estimate& estimate : point.estimates) row.push_back(estimate_text(estimate));
    rows.push_back(std::move(row));
  }
  std::vector<std::size_t> widths(rows.front().size());
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += i == 0 ? "" : "  ";
      text.append(widths[i] - width_of(row[i]), ' ').append(row[i]);
    }
    text += '\n';
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
  StringOutput output;
  const std::unique_ptr<RowWriter> writer = make_csv_writer(columns, output);
  for (const SummaryPoint& point : points) {
    std::vector<Cell> cells(point.values.begin(), point.values.end());
    cells.emplace_back(point.replications);
    for (const Estimate& estimate : point.estimates) {
      add_number(cells, estimate.count >= 1, estimate.mean);
      add_number(cells, estimate.count >= 2, estimate.half_width);
      cells.emplace_back(estimate.count);
    }
    writer->row(cells);
  }
  return output.text();
}

bool write_summary(const std::string& path, const SummaryTable& table, std::span<const SummaryPoint> points) {
  if (path == "-") return write_standard_error(summary_text(table, points));
  return write_output(path, path.ends_with(".csv") ? summary_csv(table, points) : summary_text(table, points));
}

}  // namespace loopsim::cli
