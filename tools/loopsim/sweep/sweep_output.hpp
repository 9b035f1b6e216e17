// Output of the rows of a sweep.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "tools/loopsim/line/exit_status.hpp"
#include "tools/loopsim/sweep/sweep_store.hpp"

namespace loopsim::cli {

struct OutputRequest {
  std::string path = "-";
  RowFormat format = RowFormat::csv;
  Shard shard;
  bool is_shard = false;
  bool none = false;  // the rows are not wanted
  bool resume = false;
};

// Takes rows in any order and writes them ordered by run. A regular file is written at the end, whole or not at all,
// from a journal beside it (FILE.partial); a stream or device as soon as all earlier rows are complete.
class SweepOutput {
 public:
  virtual ~SweepOutput() = default;
  [[nodiscard]] virtual std::uint64_t already() const { return 0; }  // runs made by an earlier sweep
  [[nodiscard]] virtual std::span<const double> known(std::uint64_t) const { return {}; }
  // Calls use(cells) for each row made by an earlier sweep until it returns false. False: it did, or reading failed
  // (error reported).
  [[nodiscard]] virtual bool for_each_earlier(const std::function<bool(std::span<const Cell>)>&) const { return true; }
  [[nodiscard]] virtual bool take(Row&& row) = 0;  // false: failed; the error is reported unless reports_late()
  [[nodiscard]] virtual bool reports_late() const { return false; }  // errors of take() are reported by finish()
  virtual void complete_below(std::uint64_t run) = 0;                // no more rows below this run will come
  [[nodiscard]] virtual bool finish() = 0;                           // false: failed (error reported)
};

// A status, after reporting the error, if the output cannot be opened. With `resume`, a FILE without journal is
//   a finished shard of this sweep   kept: all its runs are known, and nothing is written
//   a shard cut off or damaged       made again
//   another sweep, or a table        refused: a table does not identify its sweep
[[nodiscard]] std::variant<std::unique_ptr<SweepOutput>, ExitStatus> open_sweep_output(const Study& study,
                                                                                       const OutputRequest& request);

// The same for standard output, a pipe or a device: there is nothing to resume.
[[nodiscard]] std::variant<std::unique_ptr<SweepOutput>, ExitStatus> open_streamed_output(const Study& study,
                                                                                          const OutputRequest& request);

}  // namespace loopsim::cli
