// The journal of a sweep that writes to a file: each row goes into it as soon as its run is made. A sweep that was killed loses
// the runs under way, and goes on from its journal. sweep_store.hpp has the form.
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
  // Begins the journal at `path`, or with `resume` goes on with the one that is there. Refuses one that is in use, of another
  // sweep, or there without `resume`: then that has been reported, and there is a status instead.
  [[nodiscard]] static std::variant<std::unique_ptr<SweepJournal>, ExitStatus> open(const std::string& path,
                                                                                    const std::string& header,
                                                                                    bool resume);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  // The rows that are in it.
  [[nodiscard]] std::uint64_t size() const { return rows_.size(); }
  // Those that were there when it was opened: the values of the metrics to be summed up, NaN for none. Empty: not there. May be
  // called while rows are added.
  [[nodiscard]] std::span<const double> known(std::uint64_t run) const;

  // Adds a row with one write(). False when that failed: then it has been reported.
  [[nodiscard]] bool add(const Row& row);

  // Calls use(line) for all rows by number; a line ends with its newline. False when they could not be read: has been reported.
  [[nodiscard]] bool for_each_line(const std::function<void(std::string_view)>& use) const;

  void remove();  // it is no longer needed

 private:
  struct Place {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };

  SweepJournal(std::string path, int file) : path_(std::move(path)), file_(file) {}
  [[nodiscard]] bool read_back(const StoredSweep& sweep);  // false: reported
  [[nodiscard]] bool write(std::string_view line);

  std::string path_;
  int file_;
  std::uint64_t end_ = 0;  // where the next line goes
  std::map<std::uint64_t, Place> rows_;
  std::map<std::uint64_t, std::vector<double>> known_;  // not changed any more once it is open: threads look into it
};

}  // namespace loopsim::cli
