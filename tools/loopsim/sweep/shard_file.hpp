// Reader of shard files, as written by loopsim sweep --shard, row by row.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "tools/loopsim/sweep/sweep_store.hpp"

namespace loopsim::cli {

class ShardFile {
 public:
  explicit ShardFile(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "re"), std::fclose) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const StoredSweep& sweep() const { return sweep_; }

  enum class Opened : std::uint8_t { good, unreadable, no_shard };
  [[nodiscard]] Opened open();  // reads the header; reports `unreadable`, not `no_shard`

  // Reads the first or next row, or the end line. False on anything else; problem() is one sentence without a final
  // stop.
  [[nodiscard]] bool advance();
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] bool is_cut() const { return is_cut_; }  // the file stops before its end line

  [[nodiscard]] bool at_end() const { return at_end_; }
  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
  [[nodiscard]] std::uint64_t rows() const { return rows_; }  // read so far
  [[nodiscard]] std::uint64_t run() const;                    // at the end: the highest number

 private:
  std::string path_;
  // False: there is no further line that ends with a newline.
  [[nodiscard]] bool read_line(std::string& line);

  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  StoredSweep sweep_;
  std::vector<Cell> cells_;
  std::string problem_;
  std::uint64_t line_ = 0;
  std::uint64_t rows_ = 0;
  bool at_end_ = false;
  bool is_cut_ = false;
};

}  // namespace loopsim::cli
