// A sweep as it is stored, while it runs (the journal) and as one shard of several: JSON lines.
//
//   {"loopsim_sweep":1,"program":"0.1.0","format":"csv","shard":[1,3],"study":{...}}    what sweep it is
//   [0,0,0,...]                                                                         a row: its cells, the run's number first
//   {"end":2000}                                                                        only of a finished shard: its rows
//
// Two sweeps are the same when program, shard and study are. Rows stand in any order in a journal, by number in a shard.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/study.hpp"

#include "tools/loopsim/sweep/sweep_rows.hpp"
#include "tools/loopsim/sweep/sweep_summary.hpp"

namespace loopsim::cli {

// The first line, without a newline.
[[nodiscard]] std::string stored_header(const Study& study, Shard shard, RowFormat format);

// Why two headers are not of the same sweep, in a few words; empty when they are. The second is a good one.
[[nodiscard]] std::string difference_of_sweeps(std::string_view there, std::string_view here);
// The same for two shards of one sweep, whose numbers may differ.
[[nodiscard]] std::string difference_of_studies(std::string_view there, std::string_view here);

// What a header tells. Nothing when it is none.
struct StoredSweep {
  std::string header;
  std::string title;  // of the scenario
  Shard shard;
  RowFormat format = RowFormat::csv;
  std::vector<Column> columns;
  std::vector<std::size_t> metrics;  // indices into columns
  SummaryTable summary;
  std::vector<Dimension> dimensions;
  std::uint64_t replications = 1;
};
[[nodiscard]] std::optional<StoredSweep> parse_header(std::string_view line);

// The cells of a row. Nothing when the line is none, or has not as many as there are columns.
[[nodiscard]] std::optional<std::vector<Cell>> parse_row(std::string_view line, std::size_t columns);
[[nodiscard]] std::string row_line(std::span<const Cell> cells);  // with its newline
[[nodiscard]] std::uint64_t run_of(std::span<const Cell> cells);

[[nodiscard]] std::string end_line(std::uint64_t rows);  // with its newline
[[nodiscard]] std::optional<std::uint64_t> parse_end(std::string_view line);

}  // namespace loopsim::cli
