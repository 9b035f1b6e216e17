// A run of the runtime `io` for trace viewers: a process for each model, with a track of its system calls for each of its threads, and one
// of its kernel's side (docs/formats.md).
#pragma once

#include <memory>

#include "loopsim/writers.hpp"

namespace loopsim {

[[nodiscard]] std::unique_ptr<TraceSink> make_io_perfetto(ByteOutput& output, PerfettoForm form);

}  // namespace loopsim
