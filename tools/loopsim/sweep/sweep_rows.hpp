// Writers of a study's rows: CSV, JSON lines, SQLite.
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

// Takes rows in order. finish() reports the writer's own errors and returns false, but does not check `output` for
// errors.
class RowWriter {
 public:
  virtual ~RowWriter() = default;
  virtual void row(std::span<const Cell> cells) = 0;
  [[nodiscard]] virtual bool finish() = 0;
};

// Begins the file; `columns` must outlive the writer. Null, after reporting the error, if the file cannot be begun.
[[nodiscard]] std::unique_ptr<RowWriter> make_row_writer(RowFormat format, std::span<const Column> columns,
                                                         ByteOutput& output);
[[nodiscard]] std::unique_ptr<RowWriter> make_csv_writer(std::span<const Column> columns, ByteOutput& output);
[[nodiscard]] std::unique_ptr<RowWriter> make_jsonl_rows_writer(std::span<const Column> columns, ByteOutput& output);
[[nodiscard]] std::unique_ptr<RowWriter> make_sqlite_writer(std::span<const Column> columns, ByteOutput& output);

}  // namespace loopsim::cli
