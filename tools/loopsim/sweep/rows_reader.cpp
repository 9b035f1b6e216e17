#include "tools/loopsim/sweep/rows_reader.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "loopsim/units.hpp"

#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/sweep/row_text.hpp"
#include "tools/loopsim/sweep/sweep_rows.hpp"

namespace loopsim::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kDatabase = "SQLite format 3";
constexpr std::string_view kShard = "{\"loopsim_sweep\"";

Cell cell_of_text(std::string text) {
  if (text.empty()) return {};
  if (const ParsedDouble number = parse_double(text); number.fits && number.length == text.size()) return number.value;
  return text;
}

// ---- a table of texts, in pieces -------------------------------------------------------------------------------------

// Takes the pieces of a file; knows from its first bytes what it is.
class PieceReader {
 public:
  PieceReader(std::string path, const RowTakers& takers) : path_(std::move(path)), takers_(takers) {}

  // False to stop.
  [[nodiscard]] bool take(std::string_view piece) {
    if (kind_ == Kind::unknown) {
      head_.append(piece);
      if (head_.size() < kShard.size()) return true;
      return begin();
    }
    return kind_ == Kind::csv ? take_csv(piece) : take_lines(piece);
  }

  [[nodiscard]] bool finish() {
    if (stopped_) return false;
    if (kind_ == Kind::unknown && !begin()) return false;
    if (kind_ == Kind::csv && (!field_.empty() || !fields_.empty()) && !end_record()) return false;
    if (kind_ == Kind::csv && in_quotes_) return fail("ends within a quoted cell");
    if (kind_ == Kind::lines && !line_.empty() && !take_line(std::exchange(line_, ""))) return false;
    if (columns_ == 0) report_error(path_ + " is empty");
    return columns_ > 0;
  }

 private:
  enum class Kind { unknown, csv, lines };

  bool begin() {
    if (head_.starts_with(kShard)) {
      report_error(path_ + " is a shard or journal of a sweep: loopsim merge makes rows of the shards");
      stopped_ = true;
      return false;
    }
    kind_ = head_.starts_with("{") ? Kind::lines : Kind::csv;
    const std::string head = std::exchange(head_, "");
    return kind_ == Kind::csv ? take_csv(head) : take_lines(head);
  }

  bool fail(std::string_view what) {
    if (!stopped_) report_error(fmt::format("{}:{}: {}", path_, record_ + 1, what));
    stopped_ = true;
    return false;
  }

  // ---- CSV (RFC 4180) ----

  bool take_csv(std::string_view piece) {
    for (const char c : piece) {
      if (in_quotes_) {
        if (was_quote_ && c == '"') {
          field_ += '"';
          was_quote_ = false;
          continue;
        }
        if (!was_quote_) {
          was_quote_ = c == '"';
          if (!was_quote_) field_ += c;
          continue;
        }
        in_quotes_ = was_quote_ = false;
      }
      if (c == '"' && field_.empty()) {
        in_quotes_ = true;
      } else if (c == ',') {
        fields_.push_back(std::exchange(field_, ""));
      } else if (c == '\n') {
        if (!end_record()) return false;
      } else if (c != '\r') {
        field_ += c;
      }
    }
    return true;
  }

  bool end_record() {
    if (in_quotes_ && !was_quote_) return true;  // told by finish()
    in_quotes_ = was_quote_ = false;
    fields_.push_back(std::exchange(field_, ""));
    const std::vector<std::string> fields = std::exchange(fields_, {});
    if (columns_ == 0) return take_columns(fields);
    ++record_;
    if (fields.size() != columns_) {
      return fail(fmt::format("has {} cells, the header has {}", fields.size(), columns_));
    }
    cells_.clear();
    for (const std::size_t index : wanted_) cells_.push_back(cell_of_text(fields[index]));
    return pass_on();
  }

  // ---- JSON lines ----

  bool take_lines(std::string_view piece) {
    line_.append(piece);
    std::size_t begin = 0;
    for (std::size_t end = line_.find('\n'); end != std::string::npos; end = line_.find('\n', begin)) {
      if (!take_line(line_.substr(begin, end - begin))) return false;
      begin = end + 1;
    }
    line_.erase(0, begin);
    return true;
  }

  bool take_line(const std::string& line) {
    const Json row = Json::parse(line, nullptr, false);
    if (!row.is_object()) return fail("is no JSON object");
    if (columns_ == 0) {
      for (const auto& [key, value] : row.items()) names_.push_back(key);
      if (!take_columns(names_)) return false;
    } else {
      ++record_;
    }
    cells_.clear();
    for (const std::size_t index : wanted_) {
      const auto found = row.find(names_[index]);
      if (found == row.end()) return fail(fmt::format("has no \"{}\"", names_[index]));
      if (found->is_number()) {
        cells_.emplace_back(found->get<double>());
      } else if (found->is_null()) {
        cells_.emplace_back();
      } else {
        cells_.emplace_back(found->is_string() ? found->get<std::string>() : found->dump());
      }
    }
    return pass_on();
  }

  // ---- both ----

  bool take_columns(std::span<const std::string> names) {
    columns_ = names.size();
    auto wanted = takers_.columns(names);
    stopped_ = !wanted;
    if (wanted) wanted_ = *std::move(wanted);
    return !stopped_;
  }

  bool pass_on() {
    stopped_ = !takers_.row(cells_);
    return !stopped_;
  }

  std::string path_;
  const RowTakers& takers_;
  Kind kind_ = Kind::unknown;
  std::string head_;
  bool stopped_ = false;
  std::size_t columns_ = 0;
  std::size_t record_ = 0;  // of the line being read, from 0
  std::vector<std::size_t> wanted_;
  std::vector<Cell> cells_;
  std::vector<std::string> fields_;
  std::string field_;
  bool in_quotes_ = false;
  bool was_quote_ = false;  // within quotes: the last character was a quote
  std::vector<std::string> names_;
  std::string line_;
};

}  // namespace

bool read_rows(const std::string& path, const RowTakers& takers) {
  PieceReader reader(input_name(path), takers);
  bool is_database = false;
  bool is_first = true;
  const auto take = [&](std::string_view piece) {
    is_database = is_first && piece.starts_with(kDatabase);
    is_first = false;
    return !is_database && reader.take(piece);
  };
  if (!read_pieces(path, take)) return false;
  if (!is_database) return reader.finish();
  if (path != "-") return read_sqlite_rows(path, takers);
  report_error("a database cannot be read from standard input: name its file");
  return false;
}

std::string text_of(const Cell& cell) {
  if (const auto* const text = std::get_if<std::string>(&cell)) return *text;
  const std::optional<double> number = number_of(cell);
  return number ? number_text(*number) : "";
}

}  // namespace loopsim::cli
