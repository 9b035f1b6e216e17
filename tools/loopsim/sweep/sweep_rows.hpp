// The rows of a study as a file: CSV, JSON lines, SQLite.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/study.hpp"

namespace loopsim::cli {

enum class RowFormat : std::uint8_t { csv, jsonl, sqlite };

[[nodiscard]] std::optional<RowFormat> parse_row_format(std::string_view word);
[[nodiscard]] std::string_view to_string(RowFormat format);

// Takes rows in order. A failure of `output` shows when that is finished; one of its own is reported by finish().
class RowWriter {
 public:
  virtual ~RowWriter() = default;
  virtual void row(std::span<const Cell> cells) = 0;
  [[nodiscard]] virtual bool finish() = 0;
};

// Begins the file; `columns` must stay there. Nothing when the format cannot have it: then that has been reported.
[[nodiscard]] std::unique_ptr<RowWriter> make_row_writer(RowFormat format, std::span<const Column> columns,
                                                         ByteOutput& output);
[[nodiscard]] std::unique_ptr<RowWriter> make_csv_writer(std::span<const Column> columns, ByteOutput& output);
[[nodiscard]] std::unique_ptr<RowWriter> make_jsonl_rows_writer(std::span<const Column> columns, ByteOutput& output);
[[nodiscard]] std::unique_ptr<RowWriter> make_sqlite_writer(std::span<const Column> columns, ByteOutput& output);

// A number as all of them write it: the shortest text that is read back as the same.
[[nodiscard]] std::string number_text(double value);

// A cell as JSON.
void add_json(std::string& text, const Cell& cell);

}  // namespace loopsim::cli
