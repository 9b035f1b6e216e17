// Rows of a sweep as texts: a line of a journal or a shard, and its numbers, which other writers of rows spell alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/study.hpp"

namespace loopsim::cli {

// The cells of a row. Nothing if the line is not a row with this number of columns.
[[nodiscard]] std::optional<std::vector<Cell>> parse_row(std::string_view line, std::size_t columns);
[[nodiscard]] std::string row_line(std::span<const Cell> cells);  // with newline
[[nodiscard]] std::uint64_t run_of(std::span<const Cell> cells);

// The shortest text that reads back as the same number.
[[nodiscard]] std::string number_text(double value);

// Appends a cell as JSON; null for no value, NaN and infinity.
void add_json(std::string& text, const Cell& cell);

}  // namespace loopsim::cli
