// The table of a run of the runtime `io`: a row for every system call, in the order in which they return (docs/formats.md). Rounds
// of calls in vain that the run told as one are one row.
#pragma once

#include <memory>

#include "loopsim/writers.hpp"

namespace loopsim {

[[nodiscard]] std::unique_ptr<TraceSink> make_io_csv(ByteOutput& output, const CsvOptions& options);

}  // namespace loopsim
