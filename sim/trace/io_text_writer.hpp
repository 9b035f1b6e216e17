#pragma once

#include <memory>

#include "loopsim/writers.hpp"

namespace loopsim {

// The text trace of the runtime `io`.
[[nodiscard]] std::unique_ptr<TraceSink> make_io_text_writer(ByteOutput& output, const TextOptions& options);

}  // namespace loopsim
