#include "tools/loopsim/sweep/distributions.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/sweep/sweep_rows.hpp"

namespace loopsim::cli {
namespace {

// Removes a number and the character `behind` it from the text. Nothing if they are missing.
std::optional<std::uint64_t> take_number(std::string_view& text, char behind) {
  std::uint64_t number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stopped - text.data()));
  if (text.empty() && behind == ' ') return number;  // no blank after the last entry
  if (text.empty() || text.front() != behind) return std::nullopt;
  text.remove_prefix(1);
  return number;
}

}  // namespace

bool Distribution::add(std::string_view histogram) {
  ++runs;
  while (!histogram.empty()) {
    const auto low = take_number(histogram, '-');
    const auto high = take_number(histogram, ':');
    const auto count = take_number(histogram, ' ');
    if (!low || !high || !count || *low > *high) return false;
    Bucket& bucket = buckets[*high];
    bucket.low = *low;
    bucket.count += *count;
    values += *count;
  }
  return true;
}

std::uint64_t Distribution::quantile(double share) const {
  const auto wanted =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(values))));
  std::uint64_t seen = 0;
  for (const auto& [high, bucket] : buckets) {
    seen += bucket.count;
    if (seen >= wanted) return high;
  }
  return 0;
}

std::optional<std::size_t> histogram_index(std::span<const Column> columns, std::string_view name) {
  const auto found = std::ranges::find_if(columns, [wanted = histogram_column(name)](const Column& column) {
    return column.is_metric && column.name == wanted;
  });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

Distributions::Distributions(std::string name, std::span<const Column> columns, std::uint64_t points,
                             std::uint64_t replications)
    : name_(std::move(name)),
      column_(histogram_index(columns, name_).value_or(columns.size())),
      replications_(replications),
      points_(points) {}

bool Distributions::add(std::span<const Cell> cells) {
  const auto* const run = std::get_if<std::uint64_t>(&cells.front());
  const auto* const written = column_ < cells.size() ? std::get_if<std::string>(&cells[column_]) : nullptr;
  const std::uint64_t point = run == nullptr ? points_.size() : *run / replications_;
  if (written != nullptr && point < points_.size() && points_[point].add(*written)) return true;
  report_error(fmt::format("the histogram of run {} cannot be read", run == nullptr ? 0 : *run));
  return false;
}

std::string distribution_csv(std::span<const std::string> dimensions, std::span<const std::vector<std::string>> values,
                             std::span<const Distribution> points) {
  std::vector<Column> columns;
  for (const std::string& name : dimensions) columns.push_back({name, Column::Type::text, false, "", ""});
  for (const char* name : {"low_ns", "high_ns", "count", "share", "cumulative"}) {
    columns.push_back({name, Column::Type::real, true, "", ""});
  }
  StringOutput output;
  const std::unique_ptr<RowWriter> writer = make_csv_writer(columns, output);
  for (std::size_t point = 0; point < points.size(); ++point) {
    std::vector<Cell> cells(columns.size());
    std::ranges::copy(values[point], cells.begin());
    const auto total = static_cast<double>(points[point].values);
    std::uint64_t seen = 0;
    for (const auto& [high, bucket] : points[point].buckets) {
      seen += bucket.count;
      const std::array<Cell, 5> own = {bucket.low, high, bucket.count, static_cast<double>(bucket.count) / total,
                                       static_cast<double>(seen) / total};
      std::ranges::copy(own, cells.begin() + static_cast<std::ptrdiff_t>(dimensions.size()));
      writer->row(cells);
    }
  }
  return output.text();
}

}  // namespace loopsim::cli
