// Journal of a sweep that writes to a regular file: each row is appended when its run has finished. A killed sweep
// loses only the runs in progress and can be resumed from its journal. sweep_store.hpp describes the format.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tools/loopsim/line/exit_status.hpp"
#include "tools/loopsim/sweep/sweep_store.hpp"

namespace loopsim::cli {

class SweepJournal {
 public:
  // Creates the journal at `path`, or with `resume` continues an existing one. A status, after reporting the error, if
  // the journal is in use, belongs to another sweep, or exists without `resume`, and if reading or writing fails.
  [[nodiscard]] static std::variant<std::unique_ptr<SweepJournal>, ExitStatus> open(const std::string& path,
                                                                                    const std::string& header,
                                                                                    bool resume);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  // The number of rows.
  [[nodiscard]] std::uint64_t size() const { return rows_.size(); }
  // Values of the summarized metrics of a run that the journal had when opened; NaN: no value. Empty: no such run.
  // Safe to call while rows are added.
  [[nodiscard]] std::span<const double> known(std::uint64_t run) const;

  // Appends a row, with one pwrite() unless that is cut short. False on failure (error reported).
  [[nodiscard]] bool add(const Row& row);

  // Calls use(line) for all rows, ordered by run, newline included. False if reading failed (error reported).
  [[nodiscard]] bool for_each_line(const std::function<void(std::string_view)>& use) const;

  void remove();  // deletes the file

 private:
  struct Place {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };

  SweepJournal(std::string path, int file) : path_(std::move(path)), file_(file) {}
  [[nodiscard]] bool read_back(const StoredSweep& sweep);  // false: failed (error reported)
  [[nodiscard]] bool write(std::string_view line);
  // At least `least` bytes from the offset on, and at most `most`. False on failure (error reported).
  [[nodiscard]] bool read(std::string& piece, std::uint64_t offset, std::size_t least, std::size_t most) const;

  std::string path_;
  int file_;
  std::uint64_t end_ = 0;  // offset of the next line
  std::map<std::uint64_t, Place> rows_;
  std::map<std::uint64_t, std::vector<double>> known_;  // constant after open(): read by several threads
};

}  // namespace loopsim::cli
