#include "tools/loopsim/sweep/sweep_rows.hpp"

#include <array>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "loopsim/text.hpp"

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

std::string number_text(double value) { return fmt::format("{}", value); }

void add_json(std::string& text, const Cell& cell) {
  const auto add = [&text](const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::monostate>) {
      text += "null";
    } else if constexpr (std::is_same_v<Value, std::string>) {
      text += json_string(value);
    } else if constexpr (std::is_same_v<Value, double>) {
      text += std::isfinite(value) ? number_text(value) : "null";
    } else {
      text += fmt::format_int(value).c_str();
    }
  };
  std::visit(add, cell);
}

}  // namespace loopsim::cli
