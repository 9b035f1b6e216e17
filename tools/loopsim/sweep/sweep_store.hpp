// Format of stored sweeps, for journals and shards: JSON lines.
//
//   {"loopsim_sweep":1,"program":"0.1.0","format":"csv","shard":[1,3],"study":{...}}    header
//   [0,0,0,...]                                                                         row: cells, run number first
//   {"end":2000}                                                                        row count of a finished shard
//
// Two sweeps are the same if the versions of this format and of loopsim, the shard and the study are the same. Rows are
// in any order in a journal, ordered by run in a shard.
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

// The header line, without newline.
[[nodiscard]] std::string stored_header(const Study& study, Shard shard, RowFormat format);

// The first difference between the sweeps of two headers, in a few words; empty: the same sweep. `here` must be valid.
[[nodiscard]] std::string difference_of_sweeps(std::string_view there, std::string_view here);
// The same, ignoring the shard.
[[nodiscard]] std::string difference_of_studies(std::string_view there, std::string_view here);

// The contents of a header. parse_header() returns nothing for a line that is not a header.
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

[[nodiscard]] std::string end_line(std::uint64_t rows);  // with newline
[[nodiscard]] std::optional<std::uint64_t> parse_end(std::string_view line);

}  // namespace loopsim::cli
