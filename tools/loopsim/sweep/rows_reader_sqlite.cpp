// The rows of a sweep from an SQLite database.
#include <fmt/format.h>
#include <sqlite3.h>

#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/sweep/rows_reader.hpp"

namespace loopsim::cli {
namespace {

class Database {
 public:
  explicit Database(const std::string& path) : path_(path) {
    failed_ = sqlite3_open_v2(path.c_str(), &database_, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK;
    failed_ = failed_ || sqlite3_prepare_v2(database_, "SELECT * FROM runs", -1, &rows_, nullptr) != SQLITE_OK;
  }
  ~Database() {
    sqlite3_finalize(rows_);
    sqlite3_close(database_);
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  [[nodiscard]] bool read(const RowTakers& takers) {
    if (failed_) return fail();
    std::vector<std::string> names;
    for (int i = 0; i < sqlite3_column_count(rows_); ++i) names.emplace_back(sqlite3_column_name(rows_, i));
    const auto wanted = takers.columns(names);
    if (!wanted) return false;
    std::vector<Cell> cells;
    int status = sqlite3_step(rows_);
    for (; status == SQLITE_ROW; status = sqlite3_step(rows_)) {
      cells.clear();
      for (const std::size_t index : *wanted) cells.push_back(cell(static_cast<int>(index)));
      if (!takers.row(cells)) return false;
    }
    return status == SQLITE_DONE || fail();
  }

 private:
  [[nodiscard]] Cell cell(int column) const {
    switch (sqlite3_column_type(rows_, column)) {
      case SQLITE_NULL: return {};
      case SQLITE_INTEGER:
      case SQLITE_FLOAT: return sqlite3_column_double(rows_, column);
      default: break;
    }
    const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(rows_, column));
    return std::string(text == nullptr ? "" : text);
  }

  bool fail() {
    report_error(fmt::format("could not read {}: {}", path_, sqlite3_errmsg(database_)));
    return false;
  }

  std::string path_;
  sqlite3* database_ = nullptr;
  sqlite3_stmt* rows_ = nullptr;
  bool failed_ = false;
};

}  // namespace

bool read_sqlite_rows(const std::string& path, const RowTakers& takers) { return Database(path).read(takers); }

}  // namespace loopsim::cli
