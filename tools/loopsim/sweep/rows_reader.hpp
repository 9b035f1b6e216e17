// Reads the rows of a sweep back from a file: CSV, JSON lines or an SQLite database, whatever its name.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loopsim/study.hpp"

namespace loopsim::cli {

// `columns` receives the names of all columns, once and first, and returns the indices of those that rows shall have, or
// nothing to stop; `row` receives the cells of these, in the same order, row by row in the order of the file. Numbers
// are double; in texts of a CSV that look like numbers, too.
struct RowTakers {
  std::function<std::optional<std::vector<std::size_t>>(std::span<const std::string>)> columns;
  std::function<bool(std::span<const Cell>)> row;
};

// False if the file could not be read, is no file of rows, or a taker has stopped. The error has been reported, by the
// taker in the last case.
[[nodiscard]] bool read_rows(const std::string& path, const RowTakers& takers);

// The same of a file that is a database (rows_reader_sqlite.cpp).
[[nodiscard]] bool read_sqlite_rows(const std::string& path, const RowTakers& takers);

// A value of a cell as text: numbers in their shortest form; empty for no value.
[[nodiscard]] std::string text_of(const Cell& cell);

}  // namespace loopsim::cli
