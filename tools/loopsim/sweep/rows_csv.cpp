// CSV (RFC 4180, but with LF line ends): a header, then one line per row; an empty field for no value.
#include "loopsim/text.hpp"

#include "tools/loopsim/sweep/row_text.hpp"
#include "tools/loopsim/sweep/sweep_rows.hpp"

namespace loopsim::cli {
namespace {

class CsvWriter final : public RowWriter {
 public:
  CsvWriter(std::span<const Column> columns, ByteOutput& output) : output_(output) {
    for (const Column& column : columns) {
      if (!line_.empty()) line_ += ',';
      add_csv_text(line_, column.name);
    }
    end_line();
  }

  void row(std::span<const Cell> cells) override {
    bool first = true;
    for (const Cell& cell : cells) {
      if (!first) line_ += ',';
      first = false;
      if (const auto* text = std::get_if<std::string>(&cell)) {
        add_csv_text(line_, *text);
      } else if (!std::holds_alternative<std::monostate>(cell)) {
        add_json(line_, cell);
      }
    }
    end_line();
  }

  [[nodiscard]] bool finish() override { return true; }

 private:
  void end_line() {
    line_ += '\n';
    output_.write(line_);
    line_.clear();
  }

  ByteOutput& output_;
  std::string line_;
};

}  // namespace

std::unique_ptr<RowWriter> make_csv_writer(std::span<const Column> columns, ByteOutput& output) {
  return std::make_unique<CsvWriter>(columns, output);
}

}  // namespace loopsim::cli
