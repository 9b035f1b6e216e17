// SQLite database: the table `runs` has the rows, the table `columns` their units and meanings.
//
// Built in memory, in a fixed order and with fixed settings, then serialized: equal rows give equal bytes with the same
// version of SQLite, which writes its version number into the file.
#include <array>
#include <limits>

#include <sqlite3.h>

#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/sweep/row_text.hpp"
#include "tools/loopsim/sweep/sweep_rows.hpp"

namespace loopsim::cli {
namespace {

// A quoted SQL identifier: "a""b".
std::string sql_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + "\"";
}

// SQLite's integers are signed; a seed needs 64 unsigned bits and is stored as text.
bool is_seed(const Column& column) { return column.name == "seed" && !column.is_metric; }

std::string_view sql_type(const Column& column) {
  if (is_seed(column)) return "TEXT";
  switch (column.type) {
    case Column::Type::integer: return "INTEGER";
    case Column::Type::real: return "REAL";
    case Column::Type::text:
    case Column::Type::json: break;
  }
  return "TEXT";
}

class SqliteWriter final : public RowWriter {
 public:
  SqliteWriter(std::span<const Column> columns, ByteOutput& output) : columns_(columns), output_(output) {
    check(sqlite3_open(":memory:", &database_));
    execute("PRAGMA page_size=4096; PRAGMA encoding='UTF-8'; PRAGMA journal_mode=OFF; BEGIN");
    create_tables();
  }
  ~SqliteWriter() override {
    sqlite3_finalize(insert_);
    sqlite3_close(database_);
  }
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;

  [[nodiscard]] bool failed() const { return failed_; }

  void row(std::span<const Cell> cells) override {
    if (failed_) return;
    for (std::size_t i = 0; i < cells.size(); ++i) bind(static_cast<int>(i) + 1, cells[i], is_seed(columns_[i]));
    step(insert_);
  }

  [[nodiscard]] bool finish() override {
    execute("COMMIT");
    if (failed_) return false;
    sqlite3_int64 size = 0;
    unsigned char* const bytes = sqlite3_serialize(database_, "main", &size, 0);
    if (bytes == nullptr) {
      fail();
      return false;
    }
    output_.write({reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)});
    sqlite3_free(bytes);
    return true;
  }

 private:
  void create_tables() {
    std::string create = "CREATE TABLE runs (";
    std::string insert = "INSERT INTO runs VALUES (";
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      create.append(i == 0 ? "" : ", ").append(sql_name(columns_[i].name)).append(" ").append(sql_type(columns_[i]));
      if (columns_[i].name == "run" && i == 0) create += " PRIMARY KEY";
      insert += i == 0 ? "?" : ",?";
    }
    execute(create + ")");
    execute("CREATE TABLE columns (name TEXT PRIMARY KEY, unit TEXT, meaning TEXT) WITHOUT ROWID");
    sqlite3_stmt* const statement = prepare("INSERT INTO columns VALUES (?,?,?)");
    for (const Column& column : columns_) {
      const std::array<const std::string*, 3> texts = {&column.name, &column.unit, &column.help};
      for (int i = 0; i < 3 && !failed_; ++i) bind(statement, i + 1, *texts[static_cast<std::size_t>(i)]);
      if (!failed_) step(statement);
    }
    sqlite3_finalize(statement);
    insert_ = prepare(insert + ")");
  }

  void bind(int place, const Cell& cell, bool as_text) {
    if (const auto* text = std::get_if<std::string>(&cell)) return bind(insert_, place, *text);
    if (as_text) {
      std::string digits;
      add_json(digits, cell);
      return bind(insert_, place, digits);
    }
    if (const auto* value = std::get_if<double>(&cell)) {
      check(sqlite3_bind_double(insert_, place, *value));
    } else if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
      check(sqlite3_bind_int64(insert_, place, *whole));
    } else if (const auto* count = std::get_if<std::uint64_t>(&cell)) {
      check(sqlite3_bind_int64(insert_, place, static_cast<sqlite3_int64>(*count)));
    } else {
      check(sqlite3_bind_null(insert_, place));
    }
  }

  void bind(sqlite3_stmt* statement, int place, const std::string& text) {
    check(sqlite3_bind_text64(statement, place, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  }

  void step(sqlite3_stmt* statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) fail();
    sqlite3_reset(statement);
  }

  sqlite3_stmt* prepare(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    if (!failed_) check(sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement, nullptr));
    return statement;
  }

  void execute(const std::string& sql) {
    if (!failed_) check(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr));
  }

  void check(int status) {
    if (status != SQLITE_OK) fail();
  }

  void fail() {
    if (!failed_) report_error(std::string("could not make the database: ") + sqlite3_errmsg(database_));
    failed_ = true;
  }

  std::span<const Column> columns_;
  ByteOutput& output_;
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<RowWriter> make_sqlite_writer(std::span<const Column> columns, ByteOutput& output) {
  auto writer = std::make_unique<SqliteWriter>(columns, output);
  if (writer->failed()) return nullptr;
  return writer;
}

}  // namespace loopsim::cli
