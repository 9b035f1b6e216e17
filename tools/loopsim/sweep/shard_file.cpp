#include "tools/loopsim/sweep/shard_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/sweep/row_text.hpp"

namespace loopsim::cli {

ShardFile::Opened ShardFile::open() {
  if (file_ == nullptr) {
    report_system_error("read", path_, errno);
    return Opened::unreadable;
  }
  std::string line;
  static_cast<void>(read_line(line));  // an empty one is no header
  std::optional<StoredSweep> sweep = parse_header(line);
  if (!sweep) return Opened::no_shard;
  sweep_ = *std::move(sweep);
  return Opened::good;
}

bool ShardFile::read_line(std::string& line) {
  char* text = nullptr;
  std::size_t capacity = 0;
  const ssize_t size = ::getline(&text, &capacity, file_.get());
  const std::unique_ptr<char, void (*)(void*)> owned(text, std::free);
  if (size <= 0 || text[size - 1] != '\n') return false;
  line.assign(text, static_cast<std::size_t>(size - 1));
  return true;
}

bool ShardFile::advance() {
  std::string line;
  if (!read_line(line)) {  // a line without newline is cut off
    problem_ = path_ + " is not finished";
    is_cut_ = true;
    return false;
  }
  ++line_;
  if (const std::optional<std::uint64_t> rows = parse_end(line)) {
    at_end_ = true;
    if (*rows == rows_) return true;
    problem_ = fmt::format("{} has {} rows instead of {}", path_, rows_, *rows);
    return false;
  }
  std::optional<std::vector<Cell>> cells = parse_row(line, sweep_.columns.size());
  if (!cells || (rows_ > 0 && run_of(*cells) <= run_of(cells_))) {
    problem_ = fmt::format("line {} of {} is no row of a sweep, or not in order", line_ + 1, path_);
    return false;
  }
  ++rows_;
  cells_ = *std::move(cells);
  return true;
}

std::uint64_t ShardFile::run() const { return at_end_ ? std::numeric_limits<std::uint64_t>::max() : run_of(cells_); }

}  // namespace loopsim::cli
