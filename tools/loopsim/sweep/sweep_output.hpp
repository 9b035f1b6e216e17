// Where the rows of a sweep go while it runs, and at its end.
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
  bool resume = false;
};

// Rows come in any order and go out by number. A regular file is written whole at the end, from a journal beside it
// (FILE.partial); anything else as soon as its rows are complete.
class SweepOutput {
 public:
  virtual ~SweepOutput() = default;
  [[nodiscard]] virtual std::uint64_t already() const { return 0; }  // runs made by an earlier sweep
  [[nodiscard]] virtual std::span<const double> known(std::uint64_t) const { return {}; }
  // Calls use(cells) for each of those until it says false. False: failed, has been reported.
  [[nodiscard]] virtual bool for_each_earlier(const std::function<bool(std::span<const Cell>)>&) const { return true; }
  [[nodiscard]] virtual bool take(Row&& row) = 0;  // false: failed, has been reported if not reports_late()
  [[nodiscard]] virtual bool reports_late() const { return false; }  // in finish()
  virtual void complete_below(std::uint64_t run) = 0;                // no rows below this number are to come
  [[nodiscard]] virtual bool finish() = 0;                           // false: failed, has been reported
};

// Nothing but a status when it cannot be: then that has been reported. With `resume`, a FILE without a journal is
//   a finished shard of this sweep   taken as it is: all its runs are known, and nothing is written
//   one that is cut off or damaged   made again
//   of another sweep, or a table     refused: a table does not say enough to know
[[nodiscard]] std::variant<std::unique_ptr<SweepOutput>, ExitStatus> open_sweep_output(const Study& study,
                                                                                       const OutputRequest& request);

}  // namespace loopsim::cli
