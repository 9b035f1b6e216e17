// A table with the cells of its run before those of each row: RFC 4180 with LF line ends.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "loopsim/text.hpp"
#include "loopsim/trace.hpp"
#include "loopsim/writers.hpp"

namespace loopsim {

class CsvTable {
 public:
  // `source`: the text of the scenario, which is a part of what identifies the run. `columns` must outlive the table.
  CsvTable(ByteOutput& output, std::string_view source, std::span<const std::string_view> columns)
      : output_(output), source_(source), columns_(columns) {}

  void begin(const RunInfo& info);  // the header

  // A row: begin_row(), then its cells in the order of the columns, then end_line().
  void begin_row() { text_ += run_cells_; }
  void add_text(std::string_view cell) {
    add_csv_text(text_, cell);
    text_ += ',';
  }
  template <typename Integer>
  void add_number(Integer value, bool is_there = true) {
    if (is_there) text_ += std::to_string(value);
    text_ += ',';
  }
  void end_line();
  void flush();

 private:
  ByteOutput& output_;
  std::string source_;
  std::span<const std::string_view> columns_;
  std::string run_cells_;
  std::string text_;
};

}  // namespace loopsim
