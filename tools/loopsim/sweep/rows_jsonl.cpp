// JSON lines: one object per row, keys in the order of the columns, null for no value.
#include "loopsim/text.hpp"

#include "tools/loopsim/sweep/row_text.hpp"
#include "tools/loopsim/sweep/sweep_rows.hpp"

namespace loopsim::cli {
namespace {

class JsonlRowsWriter final : public RowWriter {
 public:
  JsonlRowsWriter(std::span<const Column> columns, ByteOutput& output) : columns_(columns), output_(output) {
    for (const Column& column : columns) {
      keys_.push_back((keys_.empty() ? "{" : ",") + json_string(column.name) + ":");
    }
  }

  void row(std::span<const Cell> cells) override {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      line_ += keys_[i];
      const auto* const text = std::get_if<std::string>(&cells[i]);
      if (text != nullptr && columns_[i].type == Column::Type::json) {
        line_ += *text;
      } else {
        add_json(line_, cells[i]);
      }
    }
    line_ += "}\n";
    output_.write(line_);
    line_.clear();
  }

  [[nodiscard]] bool finish() override { return true; }

 private:
  std::span<const Column> columns_;
  ByteOutput& output_;
  std::vector<std::string> keys_;  // with punctuation: {"run": or ,"seed":
  std::string line_;
};

}  // namespace

std::unique_ptr<RowWriter> make_jsonl_rows_writer(std::span<const Column> columns, ByteOutput& output) {
  return std::make_unique<JsonlRowsWriter>(columns, output);
}

}  // namespace loopsim::cli
