#include "tools/loopsim/sweep/sweep_rows.hpp"

#include <array>

namespace loopsim::cli {
namespace {

constexpr std::array<std::string_view, 3> kFormats = {"csv", "jsonl", "sqlite"};

}  // namespace

std::optional<RowFormat> parse_row_format(std::string_view word) {
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (kFormats[i] == word) return static_cast<RowFormat>(i);
  }
  return std::nullopt;
}

std::string_view to_string(RowFormat format) { return kFormats[static_cast<std::size_t>(format)]; }

std::unique_ptr<RowWriter> make_row_writer(RowFormat format, std::span<const Column> columns, ByteOutput& output) {
  switch (format) {
    case RowFormat::csv: return make_csv_writer(columns, output);
    case RowFormat::jsonl: return make_jsonl_rows_writer(columns, output);
    case RowFormat::sqlite: return make_sqlite_writer(columns, output);
  }
  return nullptr;
}

}  // namespace loopsim::cli
