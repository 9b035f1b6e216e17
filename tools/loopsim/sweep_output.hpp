// Where the rows of a sweep go while it runs, and at its end.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "tools/loopsim/exit_status.hpp"
#include "tools/loopsim/sweep_store.hpp"

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
  [[nodiscard]] virtual bool take(Row&& row) = 0;  // false: failed, has been reported if not reports_late()
  [[nodiscard]] virtual bool reports_late() const { return false; }  // in finish()
  virtual void complete_below(std::uint64_t run) = 0;                // no rows below this number are to come
  [[nodiscard]] virtual bool finish() = 0;                           // false: failed, has been reported
};

// Nothing but a status when it cannot be: then that has been reported.
[[nodiscard]] std::variant<std::unique_ptr<SweepOutput>, ExitStatus> open_sweep_output(const Study& study,
                                                                                       const OutputRequest& request);

}  // namespace loopsim::cli
