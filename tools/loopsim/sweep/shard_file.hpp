// A shard of a sweep as loopsim sweep --shard has written it, read row by row.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "tools/loopsim/sweep/sweep_store.hpp"

namespace loopsim::cli {

class ShardFile {
 public:
  explicit ShardFile(std::string path) : path_(std::move(path)), file_(path_, std::ios::binary) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const StoredSweep& sweep() const { return sweep_; }

  enum class Opened : std::uint8_t { good, unreadable, no_shard };
  [[nodiscard]] Opened open();  // reads the header; unreadable has been reported

  // Goes to the first or next row, or to the end. False when there is something else: problem() says what, in one sentence
  // without a final stop.
  [[nodiscard]] bool advance();
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] bool is_cut() const { return is_cut_; }  // the problem is that there is no end

  [[nodiscard]] bool at_end() const { return at_end_; }
  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
  [[nodiscard]] std::uint64_t rows() const { return rows_; }  // so far
  [[nodiscard]] std::uint64_t run() const;                    // the highest number at the end

 private:
  std::string path_;
  std::ifstream file_;
  StoredSweep sweep_;
  std::vector<Cell> cells_;
  std::string problem_;
  std::uint64_t line_ = 0;
  std::uint64_t rows_ = 0;
  bool at_end_ = false;
  bool is_cut_ = false;
};

}  // namespace loopsim::cli
